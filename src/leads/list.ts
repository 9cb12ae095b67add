import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import { storedJson } from '../kernel/json.ts';
import { cents, eurosFromCents } from '../kernel/money.ts';
import { type LeadRow, selectLeads } from './store.ts';

/** Returns the merchant's leads with an id above `after`, the oldest first. */
export async function listLeads(deps: Pick<Deps, 'db'>, page: Parameters<typeof selectLeads>[1]) {
  const rows = await selectLeads(deps.db.read, page);
  return rows.map(leadView);
}

/** A listed lead. Amounts in EUR, instants ISO 8601 UTC. */
function leadView(row: LeadRow) {
  return {
    leadId: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    firstSeenAt: isoInstant(row.first_seen_at),
    lastSeenAt: isoInstant(row.last_seen_at),
    /** Orders and their total; all transactions of a checkout session are one order. */
    orders: row.orders_count,
    amountAsked: eurosFromCents(cents(row.asked_cents)),
    /** Paid orders and their total, each once. */
    ordersPaid: row.paid_count,
    amountPaid: eurosFromCents(cents(row.paid_cents)),
    /** The items of the newest transaction with items. */
    items: storedJson<unknown[]>(row.items),
    trackingParameters: storedJson<Record<string, string>>(row.tracking),
  };
}
