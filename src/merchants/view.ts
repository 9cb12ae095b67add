import type { Queryable } from '../db/database.ts';
import type { MerchantRow } from '../db/tables/merchants.ts';
import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { domainsByMerchant, listDomains, requireMerchant, type Switch, selectMerchants } from './store.ts';

export type MerchantView = ReturnType<typeof merchantView>;

/** A merchant as the command line shows it, without secrets. */
function merchantView(row: MerchantRow, domains: string[]) {
  return {
    merchantId: row.id,
    name: row.name,
    active: row.active === 1,
    hold: row.hold === 1,
    domains,
    webhookUrl: row.webhook_url,
    webhookEnabled: row.webhook_enabled === 1,
    refunds: row.refunds === 1,
    refundEvents: row.refund_events === 1,
    autoRecover: row.auto_recover === 1,
    customerMails: row.customer_mails === 1,
    alerts: row.alerts === 1,
    createdAt: isoInstant(row.created_at),
  } satisfies Record<Switch, boolean> & Record<string, unknown>;
}

/** Returns the merchant with its domains. Throws Missing on an unknown id. */
export async function viewMerchant(db: Queryable, id: Id<'mer'>): Promise<MerchantView> {
  return merchantView(await requireMerchant(db, id), await listDomains(db, id));
}

/** Returns merchants with an id above `after`, the oldest first. */
export async function listMerchants(
  { db }: Pick<Deps, 'db'>,
  page: { limit: number; after?: string | undefined },
): Promise<MerchantView[]> {
  const rows = await selectMerchants(db.read, page);
  const ids = rows.map(({ id }) => id);
  const domains = await domainsByMerchant(db.read, ids);
  return rows.map((row) => merchantView(row, domains.get(row.id) ?? []));
}
