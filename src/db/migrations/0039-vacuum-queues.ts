import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Vacuums the queues in `events` and `deliveries` after a hundredth of the table changed instead of a fifth: what is sent stays
 * at the head of the queue's index until then. A partitioned table has no such settings; its partitions have.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  for (const table of ['events', 'deliveries']) {
    const { rows } = await sql`
      select 1 from pg_class where oid = to_regclass(${table}) and relkind = 'r'`.execute(db);
    if (rows.length === 0) continue;
    await sql`
      alter table ${sql.ref(table)}
      set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000)`.execute(db);
  }
}
