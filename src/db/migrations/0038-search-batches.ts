import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Lets PostgreSQL add many rows to the search index at once, up to 1 MiB of them. A search also reads those. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`alter index search_documents_text set (fastupdate = on, gin_pending_list_limit = 1024)`.execute(
    db,
  );
}
