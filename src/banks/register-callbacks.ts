import type { Deps } from '../deps.ts';
import { allAccounts } from './accounts.ts';

/** Where the bank is to call, below the service's public address. */
const CALLBACK_PATH = '/callbacks/ifthenpay';

/**
 * Tells the bank, for every current account, to call back at `publicUrl` (without a trailing slash). Resolves to the
 * address registered. Throws BankSilent when the bank does not confirm one, OperatorError when the address is too long.
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
