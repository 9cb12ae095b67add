import { type Generated, Kysely, SqliteDialect } from 'kysely';
import type { InitInput, InitOutput, StatusOutput } from './order.ts';
import { hashOf, newId, openTables, statusOf, type TransactionRow } from './tables.ts';

interface LeadRow {
  id: string;
  merchant_id: string;
  identity: string;
  email: string | null;
  phone: string | null;
  name: string | null;
  first_seen_at: number;
  last_seen_at: number;
  orders_count: number;
  asked_cents: number;
  items: string | null;
  tracking: string | null;
}

interface Tables {
  merchants: { id: string; key_hash: string; first_paid_at: number | null };
  store_domains: { merchant_id: string; domain: string };
  leads: LeadRow & { id: Generated<string> };
  transactions: TransactionRow;
}

/** The work of a payment as Kysely is commonly used: a transaction, hence a commit, for each request. */
export class KyselyStore {
  readonly #db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openTables() }) });

  async merchantOf(key: string): Promise<string | null> {
    const row = await this.#db
      .selectFrom('merchants')
      .select('id')
      .where('key_hash', '=', hashOf(key))
      .executeTakeFirst();
    return row?.id ?? null;
  }

  async ownsDomain(merchantId: string, host: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('store_domains')
      .select('domain')
      .where('merchant_id', '=', merchantId)
      .where('domain', '=', host)
      .executeTakeFirst();
    return row !== undefined;
  }

  async create(merchantId: string, order: InitInput): Promise<InitOutput> {
    const id = newId('tx');
    const now = Date.now();
    const cents = Math.round(order.amount * 100);
    await this.#db.transaction().execute(async (tx) => {
      const lead = await tx
        .insertInto('leads')
        .values(leadOf(merchantId, order, cents, now))
        .onConflict((conflict) =>
          conflict.columns(['merchant_id', 'identity']).doUpdateSet((eb) => ({
            name: eb.ref('excluded.name'),
            phone: eb.ref('excluded.phone'),
            last_seen_at: now,
            orders_count: eb('leads.orders_count', '+', 1),
            asked_cents: eb('leads.asked_cents', '+', cents),
            items: eb.ref('excluded.items'),
            tracking: eb.ref('excluded.tracking'),
          })),
        )
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('transactions')
        .values({
          id,
          merchant_id: merchantId,
          order_id: order.orderId,
          amount_cents: cents,
          status: 'pending',
          paid_at: null,
          paid_method: null,
          store_domain: new URL(order.storeUrl).hostname,
          customer: json(order.customer),
          items: json(order.items),
          tracking: json(order.trackingParameters),
          lead_id: lead.id,
          created_at: now,
        })
        .execute();
    });
    return { transactionId: id, amount: order.amount, currency: 'EUR' };
  }

  async status(merchantId: string, id: string): Promise<StatusOutput | null> {
    const row = await this.#db
      .selectFrom('transactions')
      .select(['id', 'order_id', 'status', 'amount_cents', 'paid_at', 'paid_method'])
      .where('id', '=', id)
      .where('merchant_id', '=', merchantId)
      .executeTakeFirst();
    return row === undefined ? null : statusOf(row);
  }
}

function leadOf(merchantId: string, order: InitInput, cents: number, now: number): LeadRow {
  const { customer } = order;
  return {
    id: newId('led'),
    merchant_id: merchantId,
    identity: `email:${customer?.email.toLowerCase() ?? ''}`,
    email: customer?.email ?? null,
    phone: customer?.phone ?? null,
    name: customer?.name ?? null,
    first_seen_at: now,
    last_seen_at: now,
    orders_count: 1,
    asked_cents: cents,
    items: json(order.items),
    tracking: json(order.trackingParameters),
  };
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
