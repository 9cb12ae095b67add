import type { Deps } from '../deps.ts';
import type { Acquirer } from '../kernel/acquirer.ts';
import type { Id } from '../kernel/ids.ts';
import { allAccounts, type KnownAccount } from './accounts.ts';
import { profileOf } from './acquirers.ts';

/** A callback address that a person has to enter at the acquirer. */
interface ByHand {
  acquirer: Acquirer;
  url: string;
  accounts: Id<'acc'>[];
  /** The settings to choose at the acquirer. */
  enter: string;
}

interface Registered {
  /** The address that was registered; null when no acquirer has an API for it. */
  registered: string | null;
  byHand: ByHand[];
}

/**
 * Registers the callback address of every current account at its acquirer or at the sandbox, or of `only` one, and
 * returns the addresses that a person has to enter. `publicUrl` has no trailing slash. Tries every account. Throws the
 * first failure: BankUnavailable when the bank does not confirm, OperatorError when the address is too long.
 */
export async function registerCallbacks(
  deps: Pick<Deps, 'db' | 'box' | 'bank' | 'settings'>,
  publicUrl: string,
  only?: Id<'acc'>,
): Promise<Registered> {
  const isSelected = ({ id, current }: Pick<KnownAccount, 'id' | 'current'>) =>
    only === undefined ? current : id === only;
  const failures: unknown[] = [];
  const readable = await allAccounts(deps, ({ id, current }, error) => {
    if (isSelected({ id, current: current === 1 })) failures.push(error);
  });
  const accounts = readable.filter(isSelected);
  const result: Registered = { registered: null, byHand: [] };
  for (const [acquirer, own] of Map.groupBy(accounts, (account) => account.acquirer)) {
    const url = `${publicUrl}/callbacks/${acquirer}`;
    const { callbacksByHand } = profileOf(acquirer);
    if (callbacksByHand === null) result.registered = url;
    else result.byHand.push({ acquirer, url, accounts: own.map(({ id }) => id), enter: callbacksByHand });
    if (callbacksByHand !== null && deps.settings.bank !== 'sandbox') continue;
    for (const account of own) {
      await deps.bank.registerCallback(account, url).catch((error: unknown) => failures.push(error));
    }
  }
  if (failures.length > 0) throw failures[0];
  return result;
}
