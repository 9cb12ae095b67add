import type { Insertable } from 'kysely';
import type { LeadTable, Tables } from '../../src/db/tables/tables.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { campaignKey, nameKey, phoneKey } from '../../src/kernel/person-keys.ts';
import { leadIdentity } from '../../src/leads/record.ts';
import type { CanonicalCustomer } from '../../src/payments/init-order.ts';
import type { History } from './history.ts';

type Row<K extends keyof Tables> = Insertable<Tables[K]>;

/** The rows of every table that the demo fills; totals are derived from them. */
export class Rows {
  readonly transactions: Row<'transactions'>[] = [];
  readonly attempts: Row<'attempts'>[] = [];
  readonly receipts: Row<'receipts'>[] = [];
  readonly events: (Row<'events'> & { created_at: number })[] = [];
  readonly deliveries: Row<'deliveries'>[] = [];
  readonly deliveryAttempts: Row<'delivery_attempts'>[] = [];
  readonly #leads = new Map<string, LeadTable>();

  get leads(): LeadTable[] {
    return [...this.#leads.values()];
  }

  /** Updates the lead of an order as init does. Call it in the order of time. */
  lead(
    order: { merchantId: Id<'mer'>; at: number; amountCents: number },
    customer: CanonicalCustomer | null,
    details: { items: string | null; tracking: string | null },
    makeId: () => Id<'led'>,
  ): Id<'led'> | null {
    const email = customer?.email ?? null;
    const phone = customer?.phone ?? null;
    const identity = leadIdentity(email, phone);
    if (identity === null) return null;
    const name = customer?.name ?? null;
    const key = `${order.merchantId} ${identity}`;
    const known = this.#leads.get(key);
    const row: LeadTable = known ?? {
      ...{ id: makeId(), merchant_id: order.merchantId, identity, email, phone, name },
      ...{ first_seen_at: order.at, last_seen_at: order.at },
      ...{ orders_count: 0, asked_cents: 0, paid_count: 0, paid_cents: 0, items: null, tracking: null },
      ...{ phone_key: null, name_key: null, campaign: null },
    };
    this.#leads.set(key, row);
    row.phone = phone ?? row.phone;
    row.last_seen_at = order.at;
    row.orders_count += 1;
    row.asked_cents += order.amountCents;
    row.items = details.items ?? row.items;
    row.tracking = details.tracking ?? row.tracking;
    row.phone_key = row.phone === null ? null : phoneKey(row.phone) || null;
    row.name_key = row.name === null ? null : nameKey(row.name) || null;
    const campaign = details.tracking === null ? null : campaignKey(JSON.parse(details.tracking));
    row.campaign = campaign ?? row.campaign ?? null;
    return row.id;
  }

  /** Adds the rows of a finished history. */
  add({ row, attempts, receipts }: History): void {
    this.transactions.push(row);
    this.attempts.push(...attempts);
    this.receipts.push(...receipts);
  }

  /** Numbers the events of each merchant in the order of time. */
  numberEvents(): void {
    const last = new Map<Id<'mer'>, number>();
    this.events.sort((a, b) => a.created_at - b.created_at);
    for (const event of this.events) {
      event.sequence = (last.get(event.merchant_id) ?? 0) + 1;
      last.set(event.merchant_id, event.sequence);
    }
  }
}
