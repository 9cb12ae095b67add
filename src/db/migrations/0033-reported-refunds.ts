import { type Kysely, sql } from 'kysely';

/** Refunds that the bank reports and this service did not make. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reported_refunds')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('identity', 'text', (c) => c.notNull().unique())
    .addColumn('account_id', 'text', (c) => c.notNull().references('bank_accounts.id'))
    .addColumn('receipt_id', 'text', (c) => c.references('receipts.id'))
    .addColumn('request_id', 'text')
    .addColumn('amount_cents', 'bigint')
    .addColumn('reported_at', 'bigint', (c) => c.notNull())
    .addColumn('settled_at', 'bigint')
    .addColumn('refund_id', 'text', (c) => c.references('refunds.id'))
    .addColumn('actor', 'text')
    .addColumn('note', 'text')
    .execute();
  await sql`create index reported_refunds_open on reported_refunds (id) where settled_at is null`.execute(db);
  await sql`create index reported_refunds_receipt on reported_refunds (receipt_id) where receipt_id is not null`.execute(
    db,
  );
  // The receipt of a reported refund is found by the bank's id of the payment.
  await sql`create index if not exists receipts_request on receipts (request_id) where request_id is not null`.execute(
    db,
  );
}
