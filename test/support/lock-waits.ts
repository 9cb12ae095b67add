import { sql } from 'kysely';
import type { Database, Tx } from '../../src/db/database.ts';

/** Whether a statement, or at least this many, waits for a lock in this PostgreSQL database. */
export async function isAnyWaiting({ read }: Database, count = 1): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(read);
  return rows.length >= count;
}

/** Runs `work` in a transaction that stays open. Resolves to a function that commits it. */
export async function holdTransaction(
  db: Pick<Database, 'unit'>,
  work: (tx: Tx) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const [worked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const unit = db.unit(async (tx) => {
    await work(tx);
    worked.resolve();
    await ended.promise;
  });
  await Promise.race([worked.promise, unit]);
  return () => {
    ended.resolve();
    return unit;
  };
}
