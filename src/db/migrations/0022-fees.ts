import { type Kysely, sql } from 'kysely';

/** What the acquirer keeps and pays out of a receipt, and the index for a merchant's statement. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['fee_cents', 'net_cents']) {
    await db.schema.alterTable('receipts').addColumn(column, 'bigint').execute();
  }
  await db.schema.alterTable('receipts').addColumn('value_date', 'text').execute();
  await sql`create index if not exists receipts_merchant_paid on receipts (merchant_id, paid_at, id)`.execute(
    db,
  );
}
