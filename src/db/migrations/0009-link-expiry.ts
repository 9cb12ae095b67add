import { type Kysely, sql } from 'kysely';

/** Links of people that have ended are found by when they did. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index user_links_expiry on user_links (expires_at)`.execute(db);
}
