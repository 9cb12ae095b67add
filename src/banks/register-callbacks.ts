import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { allAccounts, type KnownAccount } from './accounts.ts';
import { profileOf } from './acquirers.ts';
import { BankUnavailable } from './port.ts';

/**
 * Registers the callback address of every current account at its acquirer or at the sandbox, or of `only` one, and
 * returns the addresses that a person has to enter. `publicUrl` has no trailing slash. Tries every account. Throws the
 * first failure: BankUnavailable when the bank does not confirm, OperatorError when the address is too long.
 */
export async function registerCallbacks(
  deps: Pick<Deps, 'db' | 'box' | 'bank' | 'settings'>,
  publicUrl: string,
  only?: Id<'acc'>,
) {
  const isSelected = ({ id, current }: Pick<KnownAccount, 'id' | 'current'>) =>
    only === undefined ? current : id === only;
  const failures: unknown[] = [];
  const readable = await allAccounts(deps, ({ id, current }, error) => {
    if (isSelected({ id, current: current === 1 })) failures.push(error);
  });
  const accounts = readable.filter(isSelected);
  const groups = [...Map.groupBy(accounts, (account) => account.acquirer)].map(([acquirer, own]) => ({
    acquirer,
    url: `${publicUrl}/callbacks/${acquirer}`,
    own,
    enter: profileOf(acquirer).callbacksByHand,
  }));
  for (const { url, own, enter } of groups) {
    if (enter !== null && deps.settings.bank !== 'sandbox') continue;
    for (const account of own) {
      await deps.bank
        .registerCallback(account, url)
        .catch((error: unknown) => failures.push(withAccount(error, account.id)));
    }
  }
  if (failures.length > 0) throw failures[0];
  return {
    /** The address that was registered; null when no acquirer has an API for it. */
    registered: groups.findLast(({ enter }) => enter === null)?.url ?? null,
    /** The addresses that a person has to enter, with the settings to choose at the acquirer. */
    byHand: groups.flatMap(({ acquirer, url, own, enter }) =>
      enter === null ? [] : [{ acquirer, url, accounts: own.map(({ id }) => id), enter }],
    ),
  };
}

/** A failure at the bank with the account that it concerns; other errors as they are. */
function withAccount(error: unknown, account: Id<'acc'>): unknown {
  if (!(error instanceof BankUnavailable)) return error;
  return new BankUnavailable(`account ${account}: ${error.message}`, { cause: error.cause });
}
