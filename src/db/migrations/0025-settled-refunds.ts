import { type Kysely, sql } from 'kysely';

/** The index of refunds by the time they were made, for statements. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists refunds_done on refunds (settled_at, id) where state = 'done'`.execute(
    db,
  );
}
