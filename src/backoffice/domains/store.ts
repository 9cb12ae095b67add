import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** A merchant's domains and when each was registered, in alphabetical order; it has a hundred at most. */
export async function domainsOf(db: Queryable, merchantId: Id<'mer'>) {
  return await db
    .selectFrom('store_domains')
    .select(['domain', 'created_at'])
    .where('merchant_id', '=', merchantId)
    .orderBy('domain')
    .execute();
}
