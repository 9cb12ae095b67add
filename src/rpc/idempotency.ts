import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { ERROR_TEXTS, ServiceError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { findAnswer, putAnswer } from './store.ts';

const KEPT_MS = 7 * 24 * 3_600_000;

/**
 * Returns the stored answer to the same call within the last 7 days, or null. Runs in the transaction that stores a new answer.
 * Throws IDEMPOTENCY_KEY_REUSED when the key was used with another input.
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
  throw new ServiceError('IDEMPOTENCY_KEY_REUSED', ERROR_TEXTS.IDEMPOTENCY_KEY_REUSED);
}

export async function hasAnswer(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: Id<'mer'>,
  key: string,
): Promise<boolean> {
  return (await findAnswer(deps.db.read, merchantId, key, deps.clock.now() - KEPT_MS)) !== undefined;
}

/** Stores the answer for 7 days, in the transaction that creates the resource. */
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
