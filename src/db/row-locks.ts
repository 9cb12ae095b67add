import { sql } from 'kysely';
import { isPostgres, type Tx } from './database.ts';

/**
 * Thrown inside a unit that lost a race that no constraint detects. The transaction is retried and then sees the winner's commit.
 * Never thrown on SQLite, where one unit writes at a time.
 */
export class SerializationConflict extends Error {
  override readonly name = 'SerializationConflict';
}

/** How long a statement waits for a lock. */
export const LOCK_TIMEOUT_MS = 6000;

/**
 * A condition that is always true, for a statement without BEGIN. It limits the waits for locks, makes the server report a commit
 * that no standby confirmed, and keeps the checks of foreign keys from scanning a table that was small when they were planned.
 */
export const localSettings = sql<boolean>`(select set_config('lock_timeout', ${sql.lit(String(LOCK_TIMEOUT_MS))}, true)
  || set_config('client_min_messages', 'warning', true) || set_config('enable_seqscan', 'off', true)) is not null`;

/** Takes an advisory lock that is held until the transaction ends. For decisions about rows that do not exist yet. */
export async function lockNumber(tx: Tx, number: number): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${sql.lit(number)})`.execute(tx);
}

/** Takes an advisory lock if no other process holds it. Resolves to whether this process holds it. */
export async function tryLockNumber(tx: Tx, number: number): Promise<boolean> {
  if (!isPostgres(tx)) return true;
  const { rows } = await sql<{
    held: boolean;
  }>`select pg_try_advisory_xact_lock(${sql.lit(number)}) as held`.execute(tx);
  return rows[0]?.held === true;
}

/** Makes statements of this transaction fail that wait longer for a lock. */
export async function limitLockWaits(tx: Tx, waitMs: number): Promise<void> {
  if (isPostgres(tx)) await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(tx);
}
