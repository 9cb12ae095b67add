import type { Queryable } from '../db/database.ts';
import { isoInstant } from '../kernel/clock.ts';
import { everyAccount } from './store.ts';

/** Every bank account without its credentials, current ones first. */
export async function listAccounts(deps: { db: { readonly read: Queryable } }) {
  return (await everyAccount(deps.db.read)).map((row) => ({
    account: row.id,
    /** Null for a default account. */
    merchantId: row.merchant_id,
    acquirer: row.acquirer,
    current: row.current === 1,
    createdAt: isoInstant(row.created_at),
  }));
}
