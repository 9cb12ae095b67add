import { type Kysely, sql } from 'kysely';

/** The request log of the merchant API. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_requests')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('merchant_id', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('code', 'text')
    .addColumn('duration_ms', 'integer', (c) => c.notNull())
    .addColumn('idempotent', 'integer', (c) => c.notNull())
    .addColumn('transaction_id', 'text')
    .addColumn('skipped_count', 'integer', (c) => c.notNull())
    .execute();
  await sql`create index api_requests_merchant on api_requests (merchant_id, id)`.execute(db);
  await sql`create index api_requests_failed on api_requests (merchant_id, id) where status >= 400`.execute(
    db,
  );
}
