import { type Kysely, sql } from 'kysely';

/** Orders the sessions of a payment link, so that its newest orders and its sum are read without sorting all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index if exists checkout_sessions_link`.execute(db);
  await sql`create index if not exists checkout_sessions_of_link on checkout_sessions (link_id, id)
    where link_id is not null`.execute(db);
}
