import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** The keys of a merchant that work at `now`, or those that do not, newest first. */
export async function keysOf(
  db: Queryable,
  merchantId: Id<'mer'>,
  { working, now, limit }: { working: boolean; now: number; limit: number },
) {
  return await db
    .selectFrom('api_keys')
    // The key that a rotation replaces has no name.
    .select(['id as keyId', 'secret', 'name', 'created_at as createdAt', 'expires_at as expiresAt'])
    // To the minute; null for a key that was never used.
    .select('last_used_at as lastUsedAt')
    .where('merchant_id', '=', merchantId)
    .where((eb) =>
      working
        ? eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])
        : eb('expires_at', '<=', now),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** One key of the merchant, if it has this key. */
export async function findOwnKey(db: Queryable, merchantId: Id<'mer'>, id: Id<'key'>) {
  return await db
    .selectFrom('api_keys')
    .select(['id', 'secret', 'name', 'expires_at'])
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
}
