import { recordAudit } from '../../audit/store.ts';
import type { MerchantContext } from '../context.ts';
import { notFound, refused } from '../errors.ts';
import { findOwnKey, keysOf } from './store.ts';

const WORKING_LISTED_MAX = 50;
const ENDED_LISTED_MAX = 20;
const SHOWN_CHARACTERS = 4;

/** The merchant's working API keys and its newest 20 ended ones, with their secrets masked, newest first. */
export async function listKeys({ deps: { db, clock, box }, merchantId }: MerchantContext) {
  const now = clock.now();
  const working = await keysOf(db.read, merchantId, { working: true, now, limit: WORKING_LISTED_MAX });
  const ended = await keysOf(db.read, merchantId, { working: false, now, limit: ENDED_LISTED_MAX });
  const keys = [...working, ...ended].map(({ secret, ...row }) => {
    const end = box.decrypt(secret, `api_keys.secret:${row.keyId}`).slice(-SHOWN_CHARACTERS);
    return { ...row, masked: `sk_••••••••${end}`, state: stateOf(row.expiresAt, now) };
  });
  return { keys };
}

/** `ending`: the key works until `expiresAt`. */
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
