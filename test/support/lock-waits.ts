import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';

/** Whether a statement waits for a lock in this PostgreSQL database. */
export async function isAnyWaiting({ read }: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(read);
  return rows.length > 0;
}
