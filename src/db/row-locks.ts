import { PostgresAdapter, sql } from 'kysely';
import type { Queryable, Tx } from './database.ts';

/**
 * Thrown inside a unit that lost a race which no constraint decides: it runs anew, as after a deadlock, and then sees
 * what the winner committed. Never where one unit writes at a time.
 */
export class RunAnew extends Error {
  override readonly name = 'RunAnew';
}

/**
 * Whether the engine locks rows. Where it does not, a unit has the database for itself, and asking for a lock is no
 * SQL that it understands.
 */
export function hasRowLocks(db: Queryable): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Whoever takes the same number waits here until this unit is over. For decisions about rows that are not there yet. */
export async function lockNumber(tx: Tx, number: number): Promise<void> {
  if (hasRowLocks(tx)) await sql`select pg_advisory_xact_lock(${sql.lit(number)})`.execute(tx);
}
