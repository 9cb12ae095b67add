import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { createPeriodicJob, type PeriodicJob } from '../kernel/periodic.ts';
import { moveTransaction } from './announce.ts';
import { type AttemptRow, attemptsOf } from './attempt-store.ts';
import type { EndDeps } from './end-attempt.ts';
import { changeTransaction, dueDeadlines, lockTransaction } from './store.ts';
import { isAbandoned, isLive } from './transaction.ts';
import { shownAttempt } from './view.ts';

const SWEEP_EVERY_MS = 1000;
const SWEEP_MAX = 200;
/** How long after a live attempt's own end the deadline looks again. */
const LOOK_AGAIN_MS = 3_600_000;

export type DeadlineDeps = EndDeps & Pick<Deps, 'db' | 'log'>;

/** Cancels transactions whose time is up without a live attempt, from start() to stop(). State is in the database alone. */
export function createDeadlines(deps: DeadlineDeps): PeriodicJob {
  return createPeriodicJob({
    clock: deps.clock,
    async run() {
      await sweepDeadlines(deps);
      return SWEEP_EVERY_MS;
    },
    onError: (error) =>
      deps.log.error({ detail: errorText(error) }, 'the sweep over transaction deadlines failed; retrying'),
    retryAfterMs: SWEEP_EVERY_MS,
  });
}

/** One sweep over the transactions whose deadline has come. */
async function sweepDeadlines(deps: DeadlineDeps): Promise<void> {
  for (;;) {
    const due = await dueDeadlines(deps.db.read, deps.clock.now(), SWEEP_MAX);
    await Promise.all(due.map((id) => deps.db.unit((tx) => meetDeadline(tx, deps, id))));
    if (due.length < SWEEP_MAX) return;
  }
}

async function meetDeadline(tx: Tx, deps: DeadlineDeps, id: Id<'tx'>): Promise<void> {
  // Whoever has it now decides about it: a neighbour's sweep, or something that the next sweep will see.
  const transaction = await lockTransaction(tx, id, { passBusy: true });
  const now = deps.clock.now();
  if (transaction === undefined || transaction.deadline_at === null || transaction.deadline_at > now) return;
  const attempts = await attemptsOf(tx, id);
  const live = attempts.filter((attempt) => isLive(attempt.state));
  const state = {
    status: transaction.status,
    held: transaction.held === 1,
    amount: transaction.amount_cents,
  };
  if (isAbandoned(state, now >= transaction.created_at + deps.settings.pendingMs, live.length > 0)) {
    await moveTransaction(
      tx,
      deps,
      transaction,
      'cancelled',
      shownAttempt(transaction, attempts)?.method ?? null,
    );
    return;
  }
  const pending = state.status === 'pending' && !state.held;
  await changeTransaction(tx, transaction, { deadline_at: pending ? nextLook(deps, now, live) : null });
}

/** After the last live attempt's own end; its ending arms the deadline anew, this is the net below. */
function nextLook(deps: DeadlineDeps, now: number, live: readonly AttemptRow[]): number {
  const ends = live.map((attempt) => (attempt.expires_at ?? now) + deps.settings.multibancoGraceMs);
  return Math.max(now, ...ends) + LOOK_AGAIN_MS;
}
