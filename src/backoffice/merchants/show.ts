import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { listDomains } from '../../merchants/store.ts';
import { notFound } from '../errors.ts';
import { type ListedMerchant, listed } from './list.ts';
import { currentAccounts, merchantsById } from './store.ts';

/** An account at the bank as it may be shown: never its credentials. */
export interface ShownAccount {
  accountId: Id<'acc'>;
  createdAt: number;
  listReadAt: number | null;
}

export interface ShownMerchant extends ListedMerchant {
  domains: string[];
  webhookUrl: string | null;
  /** Its own account at the bank, and the one that it uses without one. */
  ownAccount: ShownAccount | null;
  defaultAccount: ShownAccount | null;
}

/** One merchant with what an operator decides about. Throws NOT_FOUND. */
export async function showMerchant(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: Id<'mer'>,
): Promise<ShownMerchant> {
  const [merchant] = await listed(deps, [merchantId]);
  const row = (await merchantsById(deps.db.read, [merchantId])).get(merchantId);
  if (merchant === undefined || row === undefined) throw notFound();
  const accounts = await currentAccounts(deps.db.read, merchantId);
  const shown = (owner: Id<'mer'> | null): ShownAccount | null => {
    const account = accounts.find((one) => one.merchant_id === owner);
    if (account === undefined) return null;
    return {
      accountId: account.id,
      createdAt: Number(account.created_at),
      listReadAt: account.list_read_at === null ? null : Number(account.list_read_at),
    };
  };
  return {
    ...merchant,
    domains: await listDomains(deps.db.read, merchantId),
    webhookUrl: row.webhook_url,
    ownAccount: shown(merchantId),
    defaultAccount: shown(null),
  };
}
