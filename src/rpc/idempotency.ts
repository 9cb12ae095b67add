import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { findAnswer, putAnswer } from './store.ts';

const HEADER = 'Idempotency-Key';
const KEY_RULE = `The header ${HEADER} must be 1 to 255 printable ASCII characters.`;
const USABLE_KEY = /^[\x20-\x7e]{1,255}$/;
const KEPT_MS = 7 * 24 * 3_600_000;

/** Whether the header's value can be honoured; an absent header can. */
export function isUsableKey(key: string | undefined): boolean {
  return key === undefined || USABLE_KEY.test(key);
}

/** Throws INVALID_FIELDS when the header cannot be honoured. Verbs call it first, after their input was validated. */
export function requireUsableKey(key: string | undefined): void {
  if (!isUsableKey(key)) throw new ServiceError('INVALID_FIELDS', KEY_RULE, { fields: [HEADER] });
}

/** Adds the header to the faults of an input. Returns any other error unchanged. */
export function withKeyFault(error: ServiceError): ServiceError {
  if (error.code !== 'INVALID_FIELDS' || error.fields?.includes(HEADER)) return error;
  return new ServiceError('INVALID_FIELDS', `${error.message} ${KEY_RULE}`, {
    fields: [...(error.fields ?? []), HEADER],
  });
}

/**
 * Returns the answer given to the same call within the last 7 days, or null. Runs in the transaction that would create a new
 * one. Throws IDEMPOTENCY_KEY_REUSED when the key was used with another input.
 */
export async function replay(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  merchantId: Id<'mer'>,
  key: string,
  fingerprint: string,
): Promise<unknown | null> {
  const kept = await findAnswer(tx, merchantId, key, deps.clock.now() - KEPT_MS);
  if (kept === undefined) return null;
  if (kept.fingerprint === fingerprint) return JSON.parse(kept.response);
  throw new ServiceError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request. Repeat that request unchanged, or choose a new key.',
  );
}

/** Keeps the answer for 7 days, in the transaction that creates what it answers for. */
export async function keepAnswer(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  merchantId: Id<'mer'>,
  key: string,
  fingerprint: string,
  response: unknown,
): Promise<void> {
  const now = deps.clock.now();
  const answer = { fingerprint, response: JSON.stringify(response) };
  await putAnswer(tx, merchantId, key, answer, now, now - KEPT_MS);
}
