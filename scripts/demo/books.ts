import type { Insertable } from 'kysely';
import type { LeadTable, Tables } from '../../src/db/tables/tables.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { lisbonDay } from '../../src/kernel/lisbon.ts';
import { campaignKey, nameKey, phoneKey } from '../../src/kernel/person-keys.ts';
import { leadIdentity } from '../../src/leads/record.ts';
import type { CanonicalCustomer } from '../../src/payments/init-order.ts';
import type { Tale } from './tale.ts';

type Row<K extends keyof Tables> = Insertable<Tables[K]>;

/** The rows of every table that the data fills, and the sums that must agree with them. */
export class Books {
  readonly transactions: Row<'transactions'>[] = [];
  readonly attempts: Row<'attempts'>[] = [];
  readonly receipts: Row<'receipts'>[] = [];
  readonly events: (Row<'events'> & { created_at: number })[] = [];
  readonly deliveries: Row<'deliveries'>[] = [];
  readonly deliveryAttempts: Row<'delivery_attempts'>[] = [];
  readonly #leads = new Map<string, LeadTable>();
  readonly #days = new Map<string, Row<'daily_totals'>>();
  readonly #methodDays = new Map<string, Row<'daily_method_totals'>>();

  get leads(): LeadTable[] {
    return [...this.#leads.values()];
  }

  get dailyTotals(): Row<'daily_totals'>[] {
    return [...this.#days.values()];
  }

  get dailyMethodTotals(): Row<'daily_method_totals'>[] {
    return [...this.#methodDays.values()];
  }

  /** Notes an order in the register of leads, as init does; to be called in the order of time. */
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

  /** Takes a finished tale in, and counts it by the rules of the daily totals. */
  take(tale: Tale): void {
    const { row, attempts, receipts, changes } = tale;
    this.transactions.push(row);
    this.attempts.push(...attempts);
    this.receipts.push(...receipts);
    const amount = Number(row.amount_cents);
    const created = this.#day(row.merchant_id, row.created_at);
    created.created_count += 1;
    created.created_cents += amount;
    for (const attempt of attempts) {
      this.#methodDay(row.merchant_id, attempt.created_at, attempt.method).attempts_count += 1;
    }
    for (const [place, change] of changes.entries()) {
      if (place === 0) {
        const ended = this.#day(row.merchant_id, change.at);
        ended.ended_count += 1;
        ended.ended_cents += amount;
      }
      if (change.status !== 'paid' || change.method === null) continue;
      const paid = this.#methodDay(row.merchant_id, change.at, change.method);
      paid.paid_count += 1;
      paid.paid_cents += amount;
      const lead = row.lead_id === null ? undefined : this.#leadOf(row.lead_id);
      if (lead === undefined) continue;
      lead.paid_count += 1;
      lead.paid_cents += amount;
    }
  }

  readonly #leadsById = new Map<string, LeadTable>();

  #leadOf(id: Id<'led'>): LeadTable | undefined {
    if (this.#leadsById.size !== this.#leads.size) {
      for (const lead of this.#leads.values()) this.#leadsById.set(lead.id, lead);
    }
    return this.#leadsById.get(id);
  }

  /** Gives every event its number among its merchant's, in the order of time. Returns the last number of each. */
  number(): Row<'event_counters'>[] {
    const last = new Map<Id<'mer'>, number>();
    this.events.sort((a, b) => a.created_at - b.created_at);
    for (const event of this.events) {
      const sequence = (last.get(event.merchant_id) ?? 0) + 1;
      last.set(event.merchant_id, sequence);
      event.sequence = sequence;
    }
    return [...last].map(([merchant_id, last_sequence]) => ({ merchant_id, last_sequence }));
  }

  #day(merchant_id: Id<'mer'>, at: number): Row<'daily_totals'> {
    const day = lisbonDay(at);
    const key = `${merchant_id} ${day}`;
    const row = this.#days.get(key) ?? {
      ...{ merchant_id, day, created_count: 0, created_cents: 0, ended_count: 0, ended_cents: 0 },
    };
    this.#days.set(key, row);
    return row;
  }

  #methodDay(merchant_id: Id<'mer'>, at: number, method: 'MBWAY' | 'REFERENCE'): Row<'daily_method_totals'> {
    const day = lisbonDay(at);
    const key = `${merchant_id} ${day} ${method}`;
    const row = this.#methodDays.get(key) ?? {
      ...{ merchant_id, day, method, attempts_count: 0, paid_count: 0, paid_cents: 0 },
    };
    this.#methodDays.set(key, row);
    return row;
  }
}
