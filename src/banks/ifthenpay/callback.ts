import { OperatorError } from '../../kernel/errors.ts';
import { centsFromDecimal } from '../../kernel/money.ts';
import { isSameSecret } from '../../kernel/secret-box.ts';
import type { BankAccount, CallbackNotification, CallbackRequest, CallbackVerdict } from '../port.ts';
import type { IfthenpayCredentials } from './profile.ts';

const TEMPLATE =
  'key=[ANTI_PHISHING_KEY]&orderId=[ORDER_ID]&amount=[AMOUNT]&requestId=[REQUEST_ID]&entity=[ENTITY]' +
  '&reference=[REFERENCE]&payment_datetime=[PAYMENT_DATETIME]&status=[STATUS]';
const TEMPLATE_LENGTH_MAX = 300;
/** The status of a refund's notification. */
const REFUNDED = /^devolvid[oa]$/i;
const PARAMS_MAX = 20;
const NAME_LENGTH_MAX = 64;
const VALUE_LENGTH_MAX = 300;

/** The callback address with the bank's placeholders. Throws OperatorError when it is too long for the bank. */
export function callbackTemplate(callbackUrl: string): string {
  const template = `${callbackUrl}?${TEMPLATE}`;
  if (template.length > TEMPLATE_LENGTH_MAX) {
    throw new OperatorError(
      `SERVICE_PUBLIC_URL is too long for the bank: the callback address has ${template.length} characters, at most ${TEMPLATE_LENGTH_MAX} are allowed`,
    );
  }
  return template;
}

/** Reads a callback: a GET whose query carries the key of an account. */
export function readCallback(
  { query }: Pick<CallbackRequest, 'query'>,
  accounts: readonly BankAccount<IfthenpayCredentials>[],
): CallbackVerdict {
  const [account, ...others] = accountsOfKey(withPlus(query.get('key') ?? ''), accounts);
  if (account === undefined) return { kind: 'forged' };
  const requestId = paramOf(query, 'requestId');
  const isRefund = REFUNDED.test(paramOf(query, 'status')?.trim() ?? '');
  const notification: CallbackNotification = {
    kind: isRefund ? 'refund' : 'payment',
    accountId: account.id,
    accountIds: [account, ...others].map(({ id }) => id).sort(),
    bankOrderId: paramOf(query, 'orderId'),
    requestId: requestId === null ? null : withPlus(requestId),
    amount: centsFromDecimal(paramOf(query, 'amount')),
    params: paramsOf(query),
  };
  return { kind: 'notification', notification };
}

/** The bank does not escape a `+`, so it arrives as a space; neither keys nor request ids contain spaces. */
function withPlus(value: string): string {
  return value.replaceAll(' ', '+');
}

/** Compares every account, in a time that does not depend on the key. */
function accountsOfKey(key: string, accounts: readonly BankAccount<IfthenpayCredentials>[]): BankAccount[] {
  return accounts.filter(({ credentials: { antiPhishingKey } }) => {
    const same = isSameSecret(key, antiPhishingKey);
    // A key of zeros, stored before such keys were refused, matches nothing.
    return same && !/^0*$/.test(antiPhishingKey);
  });
}

/** The value; null when it is missing, blank or a placeholder that the bank did not replace. */
function paramOf(query: URLSearchParams, name: string): string | null {
  const value = query.get(name)?.slice(0, VALUE_LENGTH_MAX) ?? '';
  return value.trim() === '' || /^\[[A-Z_]+\]$/.test(value) ? null : value;
}

function paramsOf(query: URLSearchParams): Record<string, string> {
  const params = new Map<string, string>();
  for (const [name, value] of query) {
    if (name.toLowerCase() === 'key' || params.has(name) || params.size >= PARAMS_MAX) continue;
    params.set(name.slice(0, NAME_LENGTH_MAX), value.slice(0, VALUE_LENGTH_MAX));
  }
  return Object.fromEntries(params);
}
