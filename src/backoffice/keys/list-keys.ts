import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { keysOf } from './store.ts';

/** A roll makes one: more than these nobody reads. */
const KEYS_MAX = 20;
const SHOWN_CHARACTERS = 4;

/** An API key without its secret. Instants in UTC milliseconds. */
export interface KeyView {
  keyId: Id<'key'>;
  /** The beginning and the last characters. */
  masked: string;
  /** `ending`: it still opens, until `expiresAt`. */
  state: 'current' | 'ending' | 'ended';
  createdAt: number;
  /** To the minute; null when it never was. */
  lastUsedAt: number | null;
  expiresAt: number | null;
}

/** The merchant's newest 20 keys, newest first. */
export async function listKeys(
  { db, clock, box }: Pick<Deps, 'db' | 'clock' | 'box'>,
  merchantId: Id<'mer'>,
): Promise<{ keys: KeyView[] }> {
  const now = clock.now();
  const rows = await keysOf(db.read, merchantId, KEYS_MAX);
  return {
    keys: rows.map((row) => {
      const expiresAt = numberOrNull(row.expires_at);
      return {
        keyId: row.id,
        masked: `sk_••••••••${box.open(row.secret, `api_keys.secret:${row.id}`).slice(-SHOWN_CHARACTERS)}`,
        state: expiresAt === null ? 'current' : expiresAt > now ? 'ending' : 'ended',
        createdAt: Number(row.created_at),
        lastUsedAt: numberOrNull(row.last_used_at),
        expiresAt,
      };
    }),
  };
}

function numberOrNull(value: number | null): number | null {
  return value === null ? null : Number(value);
}
