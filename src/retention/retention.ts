import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import { createPeriodicJob, type PeriodicJob } from '../kernel/periodic.ts';
import { KINDS, type Kind } from './kinds.ts';
import { pruneStep } from './step.ts';

/** A start has better things to do. */
const START_AFTER_MS = 10_000;
/** What another process planned, or a setting of a later start, is looked at after so long at the latest. */
const IDLE_MAX_MS = 60_000;

type RetentionDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'log' | 'metrics'>;

/**
 * Forgets what is older than the settings say, from start() to stop(), a small step at a time. State is in the database
 * alone: any number of processes share one pace for each kind.
 */
export function createRetention(deps: RetentionDeps): PeriodicJob {
  const { clock } = deps;
  const failing = new Map<Kind, number>();
  let turns = 0;
  const run = async () => {
    turns += 1;
    const nextAt = await pruneOne(deps, turns, failing);
    return Math.min(Math.max(nextAt - clock.now(), 1), IDLE_MAX_MS);
  };
  return createPeriodicJob({ clock, run, firstAfterMs: START_AFTER_MS });
}

/**
 * One step of one kind that is due, of each in its turn: two in a row would be one long step to whoever waits behind them. One that
 * fails waits, as `failing` tells, and keeps no other back. Resolves to when the next step is due.
 */
async function pruneOne(deps: RetentionDeps, turn: number, failing: Map<Kind, number>): Promise<number> {
  const { clock, log, metrics } = deps;
  let nextAt = Number.POSITIVE_INFINITY;
  for (const kind of [...KINDS.slice(turn % KINDS.length), ...KINDS.slice(0, turn % KINDS.length)]) {
    const waitsUntil = failing.get(kind) ?? 0;
    // As everywhere here, one that lies further ahead was planned before the clock was set back.
    if (waitsUntil > clock.now() && waitsUntil <= clock.now() + IDLE_MAX_MS) {
      nextAt = Math.min(nextAt, waitsUntil);
      continue;
    }
    try {
      const step = await pruneStep(deps, kind);
      failing.delete(kind);
      if (step.rows > 0) metrics.rowsPruned(kind.table, step.rows);
      if (step.passRows !== null && step.passRows > 0) tell(deps, kind, step.passRows);
      if (step.restMs !== null) return clock.now() + step.restMs;
      nextAt = Math.min(nextAt, step.nextAt);
    } catch (error) {
      log.error(
        { table: kind.table, detail: errorText(error) },
        'what is old could not be pruned; it will be',
      );
      failing.set(kind, clock.now() + IDLE_MAX_MS);
      nextAt = Math.min(nextAt, clock.now() + IDLE_MAX_MS);
    }
  }
  return nextAt;
}

function tell({ log, settings }: RetentionDeps, kind: Kind, rows: number): void {
  const olderThanDays = kind.days(settings);
  log.info({ table: kind.table, rows, olderThanDays }, 'old rows were pruned');
}
