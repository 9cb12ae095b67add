import { recordAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import { DAY_MS, HOUR_MS, isoInstant } from '../kernel/clock.ts';
import { OperatorError, Refusal } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { newApiKey } from './secrets.ts';
import { endApiKeys, insertApiKey, lockMerchant, requireMerchant, selectKeys } from './store.ts';

const NAME_LENGTH_MAX = 50;
const WORKING_KEYS_MAX = 20;
const LISTED_MAX = 100;
const DAYS_MAX = 3660;
const GRACE_HOURS_MAX = 8784;

/**
 * Creates a named API key in addition to the main key, which `rollKey` replaces. It works until it expires or is revoked. Throws
 * Refusal on an invalid value and OperatorError on an unknown id.
 */
export async function createKey(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
  options: { name: string; expiresInDays: number | undefined },
): Promise<{ keyId: Id<'key'>; apiKey: string }> {
  const name = options.name.trim();
  const { expiresInDays: days } = options;
  if (name === '' || name.length > NAME_LENGTH_MAX || /\p{C}/u.test(name)) {
    const sentence = `the name must have 1 to ${NAME_LENGTH_MAX} visible characters`;
    throw new Refusal('key_name', sentence, { max: NAME_LENGTH_MAX });
  }
  if (days !== undefined && !(days >= 1 && days <= DAYS_MAX)) {
    const sentence = `a key can expire in 1 to ${DAYS_MAX} days, not ${days}`;
    throw new Refusal('key_days', sentence, { max: DAYS_MAX });
  }
  const { apiKey, row } = newApiKey(deps, merchantId);
  const expiresAt = days === undefined ? null : row.created_at + days * DAY_MS;
  await deps.db.unit(async (tx) => {
    await lockMerchant(tx, merchantId);
    const working = await selectKeys(tx, merchantId, LISTED_MAX, { workingAt: deps.clock.now() });
    if (working.some((key) => key.name === name)) {
      const sentence = `a working key is already named ${name}; revoke it or choose another name`;
      throw new Refusal('key_name_taken', sentence);
    }
    if (working.length >= WORKING_KEYS_MAX) {
      const sentence = `a merchant has at most ${WORKING_KEYS_MAX} working keys; revoke one first`;
      throw new Refusal('key_too_many', sentence, { max: WORKING_KEYS_MAX });
    }
    await insertApiKey(tx, { ...row, name, expires_at: expiresAt });
    await recordAudit(tx, deps, { action: 'key.created', merchantId, target: row.id, details: { name } });
  });
  return { keyId: row.id, apiKey };
}

/** Lists the merchant's newest 100 keys, newest first, without the keys themselves. */
export async function listKeys(deps: Pick<Deps, 'db'>, merchantId: Id<'mer'>) {
  await requireMerchant(deps.db.read, merchantId);
  const instant = (at: number | null) => (at === null ? null : isoInstant(at));
  return (await selectKeys(deps.db.read, merchantId, LISTED_MAX)).map((key) => ({
    keyId: key.id,
    name: key.name,
    createdAt: instant(key.created_at),
    lastUsedAt: instant(key.last_used_at),
    expiresAt: instant(key.expires_at),
  }));
}

/** Revokes a named key, effective with the next call. Throws Refusal when the merchant has no such working key. */
export async function revokeKey(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>,
  merchantId: Id<'mer'>,
  keyId: Id<'key'>,
): Promise<{ keyId: Id<'key'>; expiresAt: string }> {
  return deps.db.unit(async (tx) => {
    await lockMerchant(tx, merchantId);
    const now = deps.clock.now();
    if ((await endApiKeys(tx, merchantId, keyId, now)) === 0) {
      throw new Refusal(
        'key_absent',
        `${keyId} is not a working named key of ${merchantId}; see "key list". "key roll" replaces the main key`,
      );
    }
    await recordAudit(tx, deps, { action: 'key.revoked', merchantId, target: keyId });
    return { keyId, expiresAt: isoInstant(now) };
  });
}

/**
 * Creates a new unnamed API key. The merchant's other unnamed keys expire after `graceHours`; a key that expires earlier keeps
 * its expiry. Throws OperatorError on an invalid value or an unknown id.
 */
export async function rollKey(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
  options: { graceHours: number },
): Promise<{ apiKey: string }> {
  const { graceHours } = options;
  if (!(graceHours >= 0 && graceHours <= GRACE_HOURS_MAX)) {
    throw new OperatorError(`the grace period must be 0 to ${GRACE_HOURS_MAX} hours, not ${graceHours}`);
  }
  const key = newApiKey(deps, merchantId);
  await deps.db.unit(async (tx) => {
    await lockMerchant(tx, merchantId);
    await endApiKeys(tx, merchantId, null, deps.clock.now(), Math.round(graceHours * HOUR_MS));
    await insertApiKey(tx, key.row);
    await recordAudit(tx, deps, {
      action: 'key.rolled',
      merchantId,
      target: key.row.id,
      details: { graceHours },
    });
  });
  return { apiKey: key.apiKey };
}
