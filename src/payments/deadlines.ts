import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import { createPeriodicJob, type PeriodicJob } from '../kernel/periodic.ts';
import { type AttemptRow, attemptsOf } from './attempt-store.ts';
import { shownAttempt } from './status.ts';
import { changeTransaction, dueDeadlines, lockTransaction, type TransactionKey } from './store.ts';
import { acceptsSteps, isAbandoned, isLive, pendingUntil } from './transaction.ts';
import { type EndDeps, moveTransaction } from './transitions.ts';

const SWEEP_EVERY_MS = 1000;
/** The interval on PostgreSQL, longer because the idle queries of all processes add up. */
const CLUSTER_SWEEP_EVERY_MS = 5000;
const SWEEP_MAX = 200;
/** How long after the end of the last live attempt the deadline is checked again. */
const RECHECK_MS = 3_600_000;

type DeadlineDeps = EndDeps & Pick<Deps, 'db' | 'log'>;

/** Creates the job that cancels transactions whose deadline has passed without a live attempt. */
export function createDeadlines(deps: DeadlineDeps): PeriodicJob {
  return createPeriodicJob({
    clock: deps.clock,
    async run(isStopping) {
      await sweepDeadlines(deps, isStopping);
      return deps.db.cluster === null ? SWEEP_EVERY_MS : CLUSTER_SWEEP_EVERY_MS;
    },
    onError: (error) =>
      deps.log.error({ detail: errorText(error) }, 'the sweep over transaction deadlines failed; retrying'),
    retryAfterMs: SWEEP_EVERY_MS,
  });
}

/** Cancels every transaction that is due, unless the service is stopping. */
export async function sweepDeadlines(deps: DeadlineDeps, isStopping = () => false): Promise<void> {
  for (;;) {
    const due = await dueDeadlines(deps.db.read, deps.clock.now(), SWEEP_MAX);
    // If only this clock is ahead, the sweep would cancel transactions too early.
    if (due.length > 0) await deps.clock.correct?.();
    await Promise.all(due.map((key) => deps.db.unit((tx) => applyDeadline(tx, deps, key))));
    if (due.length < SWEEP_MAX || isStopping()) return;
  }
}

async function applyDeadline(tx: Tx, deps: DeadlineDeps, key: TransactionKey): Promise<void> {
  // Another unit of work is deciding about a locked transaction; the next sweep reads the result.
  const transaction = await lockTransaction(tx, key.id, { owner: key.merchant_id, skipLocked: true });
  const now = deps.clock.now();
  if (transaction === undefined || transaction.deadline_at === null || transaction.deadline_at > now) return;
  const attempts = await attemptsOf(tx, key);
  const live = attempts.filter((attempt) => isLive(attempt.state));
  if (isAbandoned(transaction, now >= pendingUntil(transaction, deps.settings.pendingMs), live.length > 0)) {
    const shown = shownAttempt(transaction, attempts);
    await moveTransaction(tx, deps, transaction, 'cancelled', shown?.method ?? null);
    return;
  }
  const deadline_at = acceptsSteps(transaction) ? nextCheck(deps, now, live) : null;
  await changeTransaction(tx, transaction, { deadline_at });
}

/** Returns a time after the last live attempt ends. Its end also sets the deadline; this covers an attempt that never ends. */
function nextCheck(deps: DeadlineDeps, now: number, live: readonly AttemptRow[]): number {
  const ends = live.map((attempt) => (attempt.expires_at ?? now) + deps.settings.multibancoGraceMs);
  return Math.max(now, ...ends) + RECHECK_MS;
}
