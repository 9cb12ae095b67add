import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** What processes on one database share besides the money: the counts of the rate limit, and whose turn a sweep is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('post_counts')
    .addColumn('client', 'text', (c) => c.primaryKey().notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .execute();
  await sql`create index post_counts_end on post_counts (ends_at)`.execute(db);
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    // Counts of a minute need not survive a crash of the server: nothing waits for their way to the disk.
    await sql`alter table post_counts set unlogged`.execute(db);
  }
  await db.schema.alterTable('bank_accounts').addColumn('sweep_until', 'bigint').execute();
}
