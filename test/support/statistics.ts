import { sql } from 'kysely';
import type { Queryable } from '../../src/db/database.ts';
import { until } from './until.ts';

/** Ends all other connections to this PostgreSQL database, because a connection reports its statistics late. */
export async function endOtherConnections(read: Queryable): Promise<void> {
  const others = sql`from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  const ended = await sql<{ pid: number }>`select pid, pg_terminate_backend(pid) ${others}`.execute(read);
  const pids = ended.rows.map(({ pid }) => pid);
  await until(
    async () => (await sql`select 1 ${others} and pid = any(${pids})`.execute(read)).rows.length === 0,
  );
}
