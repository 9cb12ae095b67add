import { type Kysely, sql } from 'kysely';

/** The merchant of each refund, so that a list of one merchant's refunds reads an index. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('refunds').addColumn('merchant_id', 'text').execute();
  await sql`update refunds set merchant_id =
    (select receipts.merchant_id from receipts where receipts.id = refunds.receipt_id)`.execute(db);
  await sql`create index refunds_merchant on refunds (merchant_id, id)`.execute(db);
}
