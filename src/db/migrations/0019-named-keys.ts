import { type Kysely, sql } from 'kysely';

/** The name of an API key that exists beside the account's own, which has none. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_keys add column name text`.execute(db);
}
