import { type Kysely, sql } from 'kysely';

/** Refunds with their history, the refunded part of each receipt, and merchants' settings about refunds and mail. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The database itself refuses refunds of more than the receipt. Receipts of an older program have none.
  await sql`alter table receipts add column refund_cents bigint not null default 0
    check (refund_cents >= 0 and refund_cents <= amount_cents)`.execute(db);
  for (const [name, value] of [
    ['refunds', 1],
    ['refund_events', 0],
    ['auto_recover', 0],
    ['customer_mails', 0],
    ['alerts', 1],
  ] as const) {
    await db.schema
      .alterTable('merchants')
      .addColumn(name, 'integer', (c) => c.notNull().defaultTo(value))
      .execute();
  }
  await db.schema
    .createTable('refunds')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('receipt_id', 'text', (c) => c.notNull().references('receipts.id'))
    .addColumn('account_id', 'text', (c) => c.notNull().references('bank_accounts.id'))
    .addColumn('request_id', 'text')
    .addColumn('amount_cents', 'bigint', (c) => c.notNull().check(sql`amount_cents > 0`))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('iban', 'text')
    .addColumn('name', 'text')
    .addColumn('detail', 'text')
    .addColumn('retry_of', 'text')
    .addColumn('bank_refund_id', 'text')
    .addColumn('instance_id', 'text')
    .addColumn('sent_at', 'bigint')
    .addColumn('check_at', 'bigint')
    .addColumn('notification', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('settled_at', 'bigint')
    .addColumn('exported_at', 'bigint')
    .execute();
  await sql`create unique index refunds_in_flight on refunds (receipt_id)
    where state in ('requested', 'sent', 'accepted', 'unknown')`.execute(db);
  await sql`create unique index refunds_retry on refunds (retry_of) where retry_of is not null`.execute(db);
  await sql`create unique index refunds_notification on refunds (notification) where notification is not null`.execute(
    db,
  );
  await sql`create index refunds_receipt on refunds (receipt_id, id)`.execute(db);
  await sql`create index refunds_request on refunds (request_id) where request_id is not null`.execute(db);
  await sql`create index refunds_state on refunds (state, id)`.execute(db);
  await db.schema
    .createTable('refund_history')
    .addColumn('refund_id', 'text', (c) => c.notNull().references('refunds.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('note', 'text')
    .addPrimaryKeyConstraint('refund_history_key', ['refund_id', 'number'])
    .execute();
}
