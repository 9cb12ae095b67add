import { type Kysely, sql } from 'kysely';
import { campaignKey, nameKey, phoneKey } from '../../kernel/person-keys.ts';

const PAGE = 1000;

/** What leads are searched by, and the erasure of a person. It only adds; leads that are there are given their keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await keys(db);
  await erasures(db);
}

async function keys(db: Kysely<unknown>): Promise<void> {
  for (const name of ['phone_key', 'name_key', 'campaign']) {
    await db.schema.alterTable('leads').addColumn(name, 'text').execute();
  }
  await fillKeys(db);
  // Each merchant has its own range: a query over all merchants jumps from one to the next.
  for (const name of ['phone_key', 'name_key', 'campaign']) {
    await sql`create index ${sql.id(`leads_${name}`)} on leads (merchant_id, ${sql.id(name)}, id) where ${sql.id(name)} is not null`.execute(
      db,
    );
  }
}

interface OldLead {
  id: string;
  name: string | null;
  phone: string | null;
  tracking: string | null;
}

async function fillKeys(db: Kysely<unknown>): Promise<void> {
  let after = '';
  for (;;) {
    const { rows } =
      await sql<OldLead>`select id, name, phone, tracking from leads where id > ${after} order by id limit ${PAGE}`.execute(
        db,
      );
    for (const { id, name, phone, tracking } of rows) {
      await sql`
        update leads set phone_key = ${keyOf(phone, phoneKey)}, name_key = ${keyOf(name, nameKey)},
          campaign = ${campaignKey(tracking === null ? null : JSON.parse(tracking))}
        where id = ${id}`.execute(db);
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return;
  }
}

function keyOf(text: string | null, key: (text: string) => string): string | null {
  return key(text ?? '') || null;
}

async function erasures(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('lead_erasures')
    .addColumn('lead_id', 'text', (c) => c.primaryKey().notNull().references('leads.id'))
    .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'))
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('cursor', 'text')
    .addColumn('left_count', 'integer', (c) => c.notNull())
    .addColumn('done_count', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .execute();
  await sql`create index lead_erasures_due on lead_erasures (due_at) where due_at is not null`.execute(db);
  await db.schema
    .createTable('lead_erasure_waits')
    .addColumn('transaction_id', 'text', (c) => c.primaryKey().notNull().references('transactions.id'))
    .addColumn('lead_id', 'text', (c) => c.notNull().references('leads.id'))
    .execute();
  await sql`create index lead_erasure_waits_lead on lead_erasure_waits (lead_id, transaction_id)`.execute(db);
  // What the bank called back about an order is blanked with the order.
  await sql`create index bank_hints_order on bank_hints (bank_order_id) where bank_order_id is not null`.execute(
    db,
  );
}
