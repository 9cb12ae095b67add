import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** The domains of a merchant with the time of registration, in alphabetical order. */
export async function domainsOf(db: Queryable, merchantId: Id<'mer'>) {
  return await db
    .selectFrom('store_domains')
    .select(['domain', 'created_at'])
    .where('merchant_id', '=', merchantId)
    .orderBy('domain')
    .execute();
}
