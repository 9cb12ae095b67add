import type { Settings } from '../config.ts';
import type { Acquirer } from '../kernel/acquirer.ts';
import type { AdapterDeps } from './calls.ts';
import { createEupago } from './eupago/adapter.ts';
import { type BankHttp, createBankHttp } from './exchange.ts';
import { createIfthenpay } from './ifthenpay/adapter.ts';
import type { Adapter, Bank } from './port.ts';

/** Addresses that replace the acquirers' own, without trailing slashes. */
export interface BankAddresses {
  /** The sandbox, which replaces every acquirer and opens accounts. */
  readonly sandboxUrl?: string | null;
  /** Replacement addresses by acquirer. */
  readonly acquirerUrls?: Settings['acquirerUrls'];
  /** Replaces the network. */
  readonly http?: Readonly<Record<Acquirer, BankHttp>>;
}

/** Creates the adapters of all acquirers behind one interface. `close` closes their connections. */
export function createBank(
  deps: AdapterDeps,
  { sandboxUrl = null, acquirerUrls = {}, http }: BankAddresses,
): Bank & { close(): Promise<void> } {
  const urlOf = (acquirer: Acquirer) => acquirerUrls[acquirer] ?? sandboxUrl ?? undefined;
  const httpOf = (acquirer: Acquirer) =>
    http?.[acquirer] ?? createBankHttp(deps.clock, deps.settings.bankTimeoutMs);
  // An account's credentials were read with the profile of its acquirer, so they fit its adapter.
  const adapters: Readonly<Record<Acquirer, Adapter & { close(): Promise<void> }>> = {
    ifthenpay: createIfthenpay(deps, httpOf('ifthenpay'), urlOf('ifthenpay')),
    eupago: createEupago(deps, httpOf('eupago'), urlOf('eupago'), sandboxUrl),
  };
  return {
    createPush: (account, push) => adapters[account.acquirer].createPush(account, push),
    createReference: (account, order) => adapters[account.acquirer].createReference(account, order),
    inquirePush: (account, push) => adapters[account.acquirer].inquirePush(account, push),
    listPayments: (account, filter) => adapters[account.acquirer].listPayments(account, filter),
    refund: (account, order) => adapters[account.acquirer].refund(account, order),
    inquireRefund: (account, id) => adapters[account.acquirer].inquireRefund(account, id),
    registerCallback: (account, url) => adapters[account.acquirer].registerCallback(account, url),
    readCallback: (acquirer, request, accounts) => adapters[acquirer].readCallback(request, accounts),
    async close() {
      await Promise.all(Object.values(adapters).map((adapter) => adapter.close()));
    },
  };
}
