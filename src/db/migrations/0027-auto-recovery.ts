import { type Kysely, sql } from 'kysely';

/** Where the automatic recovery of each endpoint stands. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('auto_recoveries')
    .addColumn('merchant_id', 'text', (c) => c.primaryKey().notNull().references('merchants.id'))
    .addColumn('since_at', 'bigint', (c) => c.notNull())
    .addColumn('phase', 'text', (c) => c.notNull())
    .addColumn('missed_at', 'bigint')
    .addColumn('step', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('probe_id', 'text')
    .addColumn('run_id', 'text')
    .addColumn('after_at', 'bigint', (c) => c.notNull())
    .addColumn('after_id', 'text', (c) => c.notNull())
    .execute();
  await sql`create index merchants_auto_recover on merchants (id) where auto_recover = 1`.execute(db);
}
