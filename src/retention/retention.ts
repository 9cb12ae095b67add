import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import { createTurns, type Turns } from '../kernel/turns.ts';
import { KINDS, type Kind } from './kinds.ts';
import { pruneStep, STEP_EVERY_MS } from './step.ts';

/** A start has better things to do. */
const START_AFTER_MS = 10_000;
/** What another process planned, or a setting of a later start, is looked at after so long at the latest. */
const IDLE_MAX_MS = 60_000;

type RetentionDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'log' | 'metrics'>;

/**
 * Forgets what is older than the settings say, from start() to stop(), a small step at a time. State is in the database
 * alone: any number of processes share one pace.
 */
export function createRetention(deps: RetentionDeps): Turns {
  const { clock, log } = deps;
  let turns = 0;
  const turn = async () => {
    turns += 1;
    const nextAt = await pruneOne(deps, turns).catch((error: unknown) => {
      log.error({ detail: errorText(error) }, 'what is old could not be pruned; it will be');
      return clock.now() + IDLE_MAX_MS;
    });
    return Math.min(Math.max(nextAt - clock.now(), 1), IDLE_MAX_MS);
  };
  return createTurns(clock, turn, START_AFTER_MS);
}

/**
 * One step of one kind that is due, of each in its turn: two in a row would be one long step to whoever waits behind them. Resolves
 * to when the next one is.
 */
async function pruneOne(deps: RetentionDeps, turn: number): Promise<number> {
  let nextAt = Number.POSITIVE_INFINITY;
  for (const kind of [...KINDS.slice(turn % KINDS.length), ...KINDS.slice(0, turn % KINDS.length)]) {
    const step = await pruneStep(deps, kind);
    if (step.rows > 0) deps.metrics.rowsPruned(kind.table, step.rows);
    if (step.passRows !== null && step.passRows > 0) tell(deps, kind, step.passRows);
    if (step.taken) return deps.clock.now() + STEP_EVERY_MS;
    nextAt = Math.min(nextAt, step.nextAt);
  }
  return nextAt;
}

function tell({ log, settings }: RetentionDeps, kind: Kind, rows: number): void {
  const olderThanDays = kind.days(settings);
  log.info({ table: kind.table, rows, olderThanDays }, 'old rows were pruned');
}
