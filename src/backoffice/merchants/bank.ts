import { showRoutes } from '../../banks/routes.ts';
import { accountsOf } from '../../banks/store.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';

/** The accounts at the acquirers and the routes of a merchant, or of the installation (null), without credentials. */
export async function showBank(deps: Pick<Deps, 'db' | 'settings'>, merchantId: Id<'mer'> | null) {
  return {
    own: merchantId === null ? [] : await listAccounts(deps, merchantId),
    defaults: await listAccounts(deps, null),
    /** Null for the installation, whose route is its acquirer without a fallback. */
    routes: merchantId === null ? null : await showRoutes(deps, merchantId),
    standard: deps.settings.acquirer,
  };
}

async function listAccounts({ db }: Pick<Deps, 'db'>, merchantId: Id<'mer'> | null) {
  return (await accountsOf(db.read, merchantId)).map((row) => ({
    accountId: row.id,
    acquirer: row.acquirer,
    current: row.current === 1,
    createdAt: row.created_at,
    listReadAt: row.list_read_at,
  }));
}
