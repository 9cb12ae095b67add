import { createHash, timingSafeEqual } from 'node:crypto';
import { OperatorError } from '../../kernel/errors.ts';
import { centsFromDecimal } from '../../kernel/money.ts';
import type { BankAccount, CallbackNotification } from '../port.ts';

const TEMPLATE =
  'key=[ANTI_PHISHING_KEY]&orderId=[ORDER_ID]&amount=[AMOUNT]&requestId=[REQUEST_ID]&entity=[ENTITY]' +
  '&reference=[REFERENCE]&payment_datetime=[PAYMENT_DATETIME]&status=[STATUS]';
const TEMPLATE_LENGTH_MAX = 300;
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

/** Reads a callback; null when its key belongs to no account. */
export function verifyCallback(
  query: URLSearchParams,
  accounts: readonly BankAccount[],
): CallbackNotification | null {
  const account = accountOfKey(query.get('key') ?? '', accounts);
  if (account === null) return null;
  const requestId = paramOf(query, 'requestId');
  return {
    accountId: account.id,
    bankOrderId: paramOf(query, 'orderId'),
    // The bank does not escape the `+` of a request id, so it arrives as a space.
    requestId: requestId?.replaceAll(' ', '+') ?? null,
    amount: centsFromDecimal(paramOf(query, 'amount')),
    params: paramsOf(query),
  };
}

/** Compares every account, in a time that does not depend on the key. */
function accountOfKey(key: string, accounts: readonly BankAccount[]): BankAccount | null {
  const given = digest(key);
  let found: BankAccount | null = null;
  for (const account of accounts) {
    const { antiPhishingKey } = account.credentials;
    // A key of zeros, stored before such keys were refused, matches nothing.
    const same = timingSafeEqual(given, digest(antiPhishingKey)) && !/^0*$/.test(antiPhishingKey);
    found = same && found === null ? account : found;
  }
  return found;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
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
