import { recordAudit } from '../../audit/store.ts';
import { findOwnKey, selectKeys } from '../../merchants/store.ts';
import type { MerchantContext } from '../context.ts';
import { notFound, refused } from '../errors.ts';

const WORKING_LISTED_MAX = 50;
const ENDED_LISTED_MAX = 20;
const SHOWN_CHARACTERS = 4;

/** The merchant's working API keys and its newest 20 ended ones, with their secrets masked, newest first. */
export async function listKeys({ deps: { db, clock, box }, merchantId }: MerchantContext) {
  const now = clock.now();
  const working = await selectKeys(db.read, merchantId, WORKING_LISTED_MAX, { workingAt: now });
  const ended = await selectKeys(db.read, merchantId, ENDED_LISTED_MAX, { endedAt: now });
  const keys = [...working, ...ended].map((row) => ({
    keyId: row.id,
    /** Null for a main key, which a rotation replaces. */
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    /** To the minute; null for a key that was never used. */
    lastUsedAt: row.last_used_at,
    masked: `sk_••••••••${box.decrypt(row.secret, `api_keys.secret:${row.id}`).slice(-SHOWN_CHARACTERS)}`,
    state: stateOf(row.expires_at, now),
  }));
  return { keys };
}

function stateOf(expiresAt: number | null, now: number): 'current' | 'ending' | 'ended' {
  if (expiresAt === null) return 'current';
  return expiresAt > now ? 'ending' : 'ended';
}

/**
 * Returns a working key without a name in plain text and records that in the audit log. A named key is shown once, when it is created.
 */
export async function revealKey({ deps, merchantId }: MerchantContext, keyId: `key_${string}`) {
  const key = await deps.db.unit(async (tx) => {
    const found = await findOwnKey(tx, merchantId, keyId);
    if (found === undefined || found.name !== null) throw notFound();
    if (found.expires_at !== null && found.expires_at <= deps.clock.now()) {
      throw refused('key_ended', 'This key has expired.');
    }
    await recordAudit(tx, deps, { action: 'key.revealed', merchantId, target: found.id });
    return found;
  });
  return { apiKey: deps.box.decrypt(key.secret, `api_keys.secret:${key.id}`) };
}
