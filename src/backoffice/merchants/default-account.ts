import type { Deps } from '../../deps.ts';
import type { ShownAccount } from './show.ts';
import { defaultAccount } from './store.ts';

/** The default account at the bank, without its credentials; null until one is set. */
export async function showDefaultAccount(deps: Pick<Deps, 'db'>): Promise<ShownAccount | null> {
  const row = await defaultAccount(deps.db.read);
  if (row === undefined) return null;
  return {
    accountId: row.id,
    createdAt: Number(row.created_at),
    listReadAt: row.list_read_at === null ? null : Number(row.list_read_at),
  };
}
