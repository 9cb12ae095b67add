import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { lisbonText } from '../../kernel/lisbon.ts';
import { centsFromDecimal } from '../../kernel/money.ts';
import { isObject, member, parseObject, textIn, textOf, type Wire } from '../json.ts';
import type { BankAccount, CallbackRequest, CallbackVerdict } from '../port.ts';
import type { EupagoCredentials } from './profile.ts';
import { instantFromText } from './times.ts';

type Account = BankAccount<EupagoCredentials>;

const MULTIBANCO = /^(PC|multibanco)/i;
const REFUND = /^(RB|refund)/i;
const REFUNDED = /^(refund|reembols|devolv)/i;
const VALUE_LENGTH_MAX = 300;
const PRINTABLE = /^[ -~]{1,300}$/;
const IV_BYTES = 16;
/** The stored members of a notification, which may contain further customer data. */
const KEPT_MEMBERS = [
  'identifier',
  'reference',
  'entity',
  'method',
  'trid',
  'originalTrid',
  'status',
  'date',
];

/**
 * Reads a notification: a POST signed with the key of an account. In the plain form the body is signed; in the encrypted
 * form, the base64 text in `data`.
 */
export function readCallback(
  { headers, body }: Pick<CallbackRequest, 'headers' | 'body'>,
  accounts: readonly Account[],
): CallbackVerdict {
  const wire = parseObject(body.toString('utf8'));
  const data = wire === null || transactionOf(wire) !== null ? undefined : member(wire, 'data');
  const signed = typeof data === 'string' ? data : body;
  const [account, ...others] = signersOf(headerOf(headers, 'x-signature'), signed, accounts);
  if (account === undefined) return { kind: 'forged' };
  const opened =
    typeof data === 'string'
      ? decrypted(data, headerOf(headers, 'x-initialization-vector'), account.credentials.webhookKey)
      : wire;
  const transaction = opened === null ? null : transactionOf(opened);
  if (opened === null || transaction === null)
    return unreadable(account, 'it does not name exactly one transaction');
  const identifier = nameOf(transaction, 'identifier');
  const reference = nameOf(transaction, 'reference');
  if (identifier === null && reference === null) return unreadable(account, 'it names no order');
  const refund = refundOf(transaction);
  if (refund === 'other') return unreadable(account, 'it tells of a refund that was not made');
  const isMultibanco = MULTIBANCO.test(textIn(transaction, 'method') ?? '');
  const requestId = refund === null ? (isMultibanco ? null : reference) : refund.trid;
  return {
    kind: 'notification',
    notification: {
      kind: refund === null ? 'payment' : 'refund',
      accountId: account.id,
      accountIds: [account, ...others].map(({ id }) => id).sort(),
      bankOrderId: identifier,
      requestId,
      amount: centsFromDecimal(amountOf(transaction)),
      params: paramsOf(transaction),
    },
  };
}

/** An identifier in a member; null unless it is printable ASCII, which every database stores. */
function nameOf(transaction: Wire, name: string): string | null {
  const text = textIn(transaction, name);
  return text !== null && PRINTABLE.test(text) ? text : null;
}

/** The refunded payment of a refund's notification; null for other notifications. EuPago's documentation lacks `originalTrid`. */
function refundOf(transaction: Wire): { trid: string | null } | 'other' | null {
  if (!REFUNDED.test(textIn(transaction, 'status') ?? ''))
    return REFUND.test(textIn(transaction, 'method') ?? '') ? 'other' : null;
  return { trid: nameOf(transaction, 'originalTrid') ?? nameOf(transaction, 'trid') };
}

function unreadable({ id }: Account, what: string): CallbackVerdict {
  return { kind: 'unreadable', detail: `a notification for account ${id}: ${what}` };
}

/** Compares every account, in a time that does not depend on the signature. */
function signersOf(signature: string, signed: string | Buffer, accounts: readonly Account[]): Account[] {
  const given = Buffer.from(signature, 'base64');
  return accounts.filter(({ credentials }) => {
    const expected = createHmac('sha256', credentials.webhookKey).update(signed).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function headerOf(headers: CallbackRequest['headers'], name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/** AES-256-CBC; null when it does not decrypt to a JSON object. */
function decrypted(data: string, vector: string, key: string): Wire | null {
  const iv = Buffer.from(vector, 'base64');
  if (iv.length !== IV_BYTES) return null;
  try {
    const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'utf8'), iv);
    return parseObject(Buffer.concat([decipher.update(data, 'base64'), decipher.final()]).toString('utf8'));
  } catch {
    return null;
  }
}

/** EuPago sends `transaction`; its documentation names `transactions`. Null for several, which are not processed. */
function transactionOf(wire: Wire): Wire | null {
  for (const name of ['transaction', 'transactions']) {
    const value = member(wire, name);
    const [one, ...others]: unknown[] = Array.isArray(value) ? value : [value];
    if (isObject(one) && others.length === 0) return one;
  }
  return null;
}

function amountOf(transaction: Wire): unknown {
  const amount = member(transaction, 'amount');
  return isObject(amount) ? member(amount, 'value') : amount;
}

function paramsOf(transaction: Wire): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name of KEPT_MEMBERS) {
    const value = textIn(transaction, name);
    if (value !== null) params[name] = value.slice(0, VALUE_LENGTH_MAX);
  }
  const amount = textOf(amountOf(transaction));
  if (amount !== null) params.amount = amount.slice(0, VALUE_LENGTH_MAX);
  const paidAt = instantFromText(params.date ?? null);
  // The callback worker compares it with the bank's record, to recognise a second payment of a reference.
  if (paidAt !== null) params.payment_datetime = lisbonText(paidAt);
  return params;
}
