import { BankUnavailable } from '../../banks/port.ts';
import { registerCallbacks } from '../../banks/register-callbacks.ts';
import { showRoutes } from '../../banks/routes.ts';
import { setBankAccount } from '../../banks/set-account.ts';
import { accountsOf } from '../../banks/store.ts';
import type { Deps } from '../../deps.ts';
import type { Acquirer } from '../../kernel/acquirer.ts';
import type { Id } from '../../kernel/ids.ts';

/** The accounts at the acquirers and the routes of a merchant, or of the installation (null), without credentials. */
export async function showBank(deps: Pick<Deps, 'db' | 'settings'>, merchantId: Id<'mer'> | null) {
  return {
    own: merchantId === null ? [] : await listAccounts(deps, merchantId),
    defaults: await listAccounts(deps, null),
    /** Null for the installation, whose route is its acquirer without a fallback. */
    routes: merchantId === null ? null : await showRoutes(deps, merchantId),
    /** The installation's acquirer. */
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

/** Sets an account, and opens or changes it at the sandbox. Throws OperatorError that names the invalid credentials. */
export async function setBank(
  deps: Deps,
  input: {
    merchantId: Id<'mer'> | null;
    acquirer?: Acquirer | undefined;
    credentials: Record<string, string>;
  },
) {
  const set = await setBankAccount(deps, input);
  if (deps.settings.bank !== 'sandbox') return set;
  await registerCallbacks(deps, deps.serviceUrl(), set.account).catch((error: unknown) => {
    // A sandbox that is not running receives the account at the next start of the service.
    if (!(error instanceof BankUnavailable)) throw error;
  });
  return set;
}
