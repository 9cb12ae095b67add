import type { Deps } from '../deps.ts';
import { allAccounts } from './accounts.ts';

const CALLBACK_PATH = '/callbacks/ifthenpay';

/**
 * Registers the callback address at the bank for every current account. `publicUrl` has no trailing slash. Throws
 * BankUnavailable when the bank does not confirm, OperatorError when the address is too long.
 */
export async function registerCallbacks(
  deps: Pick<Deps, 'db' | 'box' | 'bank'>,
  publicUrl: string,
): Promise<{ registered: string; accountsCount: number }> {
  const registered = `${publicUrl}${CALLBACK_PATH}`;
  const accounts = (await allAccounts(deps)).filter((account) => account.current);
  for (const account of accounts) await deps.bank.registerCallback(account, registered);
  return { registered, accountsCount: accounts.length };
}
