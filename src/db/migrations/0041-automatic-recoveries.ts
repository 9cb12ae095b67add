import { type Kysely, sql } from 'kysely';

/** Tells automatic recoveries from those that a person requested. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recoveries add column automatic integer not null default 0`.execute(db);
  await sql`update recoveries set automatic = 1 where id in (select run_id from auto_recoveries)`.execute(db);
}
