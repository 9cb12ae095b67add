import type { Settings } from '../config.ts';
import type { Tx } from '../db/database.ts';
import { type RetainedTableName, type RetentionKey, readMeta, replaceMeta } from '../db/meta.ts';
import type { PrunedBatch } from '../db/prune.ts';
import { hasRowLocks } from '../db/row-locks.ts';
import type { Deps } from '../deps.ts';

/** A table whose rows are deleted at a certain age. */
export interface RetainedTable {
  readonly table: RetainedTableName;
  /** The age from which a row is deleted. */
  days(settings: Settings): number;
  /** Deletes a few rows of `before` (UTC milliseconds) or earlier, beyond the id `after`. */
  prune(tx: Tx, before: number, after: string): Promise<PrunedBatch>;
}

/** The longest duration of one step, and the share of the time that all steps take. */
interface Pace {
  readonly stepMsMax: number;
  readonly share: number;
}

/** On SQLite other transactions wait behind a step. */
const SQLITE_PACE: Pace = { stepMsMax: 1, share: 1 / 50 };
const POSTGRES_PACE: Pace = { stepMsMax: 10, share: 1 / 20 };
const BATCHES_MAX = 20;
const REST_MS_MIN = 20;
const REST_MS_MAX = 200;
/** Time between two passes over all old rows. */
const PASS_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The clocks of several processes differ a little: no process deletes a row before its promised age. */
const CLOCK_SKEW_MS = 3_600_000;

/** The position of a pass, kept in the database and shared by all processes. */
interface Position {
  /** When the next step is due, in UTC milliseconds. */
  dueAt: number;
  /** The last id that the pass has processed. */
  after: string;
  /** Rows deleted in this pass so far. */
  rows: number;
}

const START: Position = { dueAt: 0, after: '', rows: 0 };

export interface Step {
  /** Rows deleted by this step. */
  rows: number;
  /** Rows deleted in the pass, when this step ended it; else null. */
  passRows: number | null;
  /** When the next step is due. */
  nextAt: number;
}

/** Deletes one bounded amount of old rows, in one transaction; does nothing before the step is due. */
export async function pruneStep(
  deps: Pick<Deps, 'db' | 'clock' | 'settings'>,
  retained: RetainedTable,
): Promise<Step> {
  const key: RetentionKey = `retention_${retained.table}`;
  const now = deps.clock.now();
  const stored = await readMeta(deps.db.read, key);
  const position = stored === null ? START : (JSON.parse(stored) as Position);
  // A due time beyond one pass was written before the clock was set back.
  if (position.dueAt > now && position.dueAt <= now + PASS_EVERY_MS) return idleUntil(position.dueAt);
  return await deps.db.unit(async (tx) => {
    const claimed = { ...position, dueAt: now + REST_MS_MAX };
    const isMine = await replaceMeta(tx, key, stored, JSON.stringify(claimed));
    if (!isMine) return idleUntil(claimed.dueAt);
    const before = now - retained.days(deps.settings) * DAY_MS - CLOCK_SKEW_MS;
    const pace = hasRowLocks(tx) ? POSTGRES_PACE : SQLITE_PACE;
    const { rows, after, tookMs } = await pruneBatches(tx, retained, before, position.after, pace);
    const restMs = Math.ceil(Math.min(REST_MS_MAX, Math.max(REST_MS_MIN, tookMs / pace.share)));
    const next: Position =
      after === null
        ? { ...START, dueAt: now + PASS_EVERY_MS }
        : { dueAt: now + restMs, after, rows: position.rows + rows };
    await replaceMeta(tx, key, JSON.stringify(claimed), JSON.stringify(next));
    return { rows, passRows: after === null ? position.rows + rows : null, nextAt: next.dueAt };
  });
}

function idleUntil(nextAt: number): Step {
  return { rows: 0, passRows: null, nextAt };
}

async function pruneBatches(
  tx: Tx,
  retained: RetainedTable,
  before: number,
  from: string,
  { stepMsMax }: Pace,
) {
  const startedAt = performance.now();
  let rows = 0;
  let after: string | null = from;
  for (let batch = 0; batch < BATCHES_MAX && after !== null; batch++) {
    const done = await retained.prune(tx, before, after);
    rows += done.rows;
    after = done.after;
    if (performance.now() - startedAt >= stepMsMax) break;
  }
  return { rows, after, tookMs: performance.now() - startedAt };
}
