import type { Queryable } from '../db/database.ts';
import type { Acquirer } from '../kernel/acquirer.ts';
import { isoInstant } from '../kernel/clock.ts';
import { everyAccount } from './store.ts';

export interface ListedAccount {
  account: string;
  /** Null for a default account. */
  merchantId: string | null;
  acquirer: Acquirer;
  current: boolean;
  createdAt: string;
}

/** Every bank account without its credentials, current ones first. */
export async function listAccounts(deps: { db: { readonly read: Queryable } }): Promise<ListedAccount[]> {
  return (await everyAccount(deps.db.read)).map((row) => ({
    account: row.id,
    merchantId: row.merchant_id,
    acquirer: row.acquirer,
    current: row.current === 1,
    createdAt: isoInstant(row.created_at),
  }));
}
