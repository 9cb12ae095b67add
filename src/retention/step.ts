import type { Settings } from '../config.ts';
import { isPostgres, type Tx } from '../db/database.ts';
import type { PrunedBatch } from '../db/prune.ts';
import type { Tables } from '../db/tables/tables.ts';
import type { Deps } from '../deps.ts';
import { DAY_MS, HOUR_MS } from '../kernel/clock.ts';

/** A table whose rows are deleted at a certain age. */
export interface RetainedTable {
  readonly table: keyof Tables;
  /** The age from which a row is deleted. */
  days(settings: Settings): number;
  /** Deletes a few rows of `before` (UTC milliseconds) or earlier, beyond the id `after`. */
  prune(tx: Tx, before: number, after: string): Promise<PrunedBatch>;
}

/**
 * The longest duration of one step, and the share of the time that a process's steps on a table take. On SQLite other transactions
 * wait behind a step.
 */
const SQLITE_PACE = { stepMsMax: 1, share: 1 / 50 };
const POSTGRES_PACE = { stepMsMax: 10, share: 1 / 20 };
const BATCHES_MAX = 20;
const REST_MS_MIN = 20;
const REST_MS_MAX = 200;
/** Time between two passes over all old rows. */
export const PASS_EVERY_MS = HOUR_MS;
/** The clocks of several processes differ a little: no process deletes a row before its promised age. */
const CLOCK_SKEW_MS = HOUR_MS;

/**
 * Deletes one bounded amount of the rows that are old at `now`, beyond the id `from`, in one transaction. `restMs` is the wait
 * before the next step.
 */
export function pruneStep(
  { db, clock, settings }: Pick<Deps, 'db' | 'clock' | 'settings'>,
  retained: RetainedTable,
  from = '',
  now = clock.now(),
) {
  return db.unit(async (tx) => {
    const before = now - retained.days(settings) * DAY_MS - CLOCK_SKEW_MS;
    const { stepMsMax, share } = isPostgres(tx) ? POSTGRES_PACE : SQLITE_PACE;
    const startedAt = performance.now();
    let rows = 0;
    let tookMs = 0;
    let after: string | null = from;
    for (let batch = 0; batch < BATCHES_MAX && tookMs < stepMsMax && after !== null; batch++) {
      const done: PrunedBatch = await retained.prune(tx, before, after);
      rows += done.rows;
      after = done.after;
      tookMs = performance.now() - startedAt;
    }
    const restMs = Math.ceil(Math.min(REST_MS_MAX, Math.max(REST_MS_MIN, tookMs / share)));
    return { rows, after, restMs: after === null ? PASS_EVERY_MS : restMs };
  });
}
