import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { AttemptResult } from '../deliver.ts';
import { nextAttemptAt } from '../schedule.ts';
import type { Claimed } from './claim.ts';
import { countCut, finishDeliveries, planRetry, putAttempts, unblockLanes } from './store.ts';

export interface Outcome {
  attempt: Claimed;
  result: AttemptResult;
}

export interface Recorded {
  finished: { id: Id<'dlv'>; state: 'delivered' | 'undelivered' }[];
  /** The nearest of the retries that were planned; null when none was. */
  retryAt: number | null;
  /** Whether a delivery of a lane became free. */
  unblocked: boolean;
}

/**
 * Writes how attempts ended, many in one unit. An attempt's row tells the truth in any case; the delivery moves only
 * while the claim is still ours.
 */
export async function recordOutcomes(
  deps: Pick<Deps, 'db' | 'clock'>,
  outcomes: readonly Outcome[],
): Promise<Recorded> {
  return await deps.db.unit(async (tx) => {
    const now = deps.clock.now();
    await putAttempts(tx, outcomes.map(attemptRow));
    const retries: number[] = [];
    const finished: Recorded['finished'] = [];
    const byToken = Map.groupBy(
      outcomes.filter(({ result }) => result.error === null),
      ({ attempt }) => attempt.token,
    );
    for (const [token, delivered] of byToken) {
      const ids = delivered.map(({ attempt }) => attempt.delivery.id);
      for (const id of await finishDeliveries(tx, ids, { state: 'delivered', now, token })) {
        finished.push({ id, state: 'delivered' });
      }
    }
    for (const outcome of outcomes.filter(({ result }) => result.error !== null)) {
      const next = await fail(tx, outcome, now);
      if (next === 'undelivered') finished.push({ id: outcome.attempt.delivery.id, state: 'undelivered' });
      else if (next !== null) retries.push(next);
    }
    const unblocked = await freeLanes(tx, outcomes, finished);
    return { finished, retryAt: retries.length === 0 ? null : Math.min(...retries), unblocked };
  });
}

/** Plans the next attempt or gives up. Null when the claim has passed to another, whose outcome then counts. */
async function fail(
  tx: Tx,
  { attempt, result }: Outcome,
  now: number,
): Promise<number | 'undelivered' | null> {
  const { delivery, number, token } = attempt;
  const cut = await countCut(tx, delivery.id, number);
  const at = nextAttemptAt(number, cut, result.endedAt);
  if (at !== null) return (await planRetry(tx, delivery.id, token, at)) ? at : null;
  const ended = await finishDeliveries(tx, [delivery.id], { state: 'undelivered', now, token });
  return ended.length === 1 ? 'undelivered' : null;
}

async function freeLanes(
  tx: Tx,
  outcomes: readonly Outcome[],
  finished: Recorded['finished'],
): Promise<boolean> {
  const ids = new Set(finished.map(({ id }) => id));
  const lanes = outcomes.flatMap(({ attempt: { delivery } }) =>
    delivery.transaction_id !== null && ids.has(delivery.id) ? [delivery.transaction_id] : [],
  );
  return lanes.length > 0 && (await unblockLanes(tx, lanes)) > 0;
}

function attemptRow({ attempt, result }: Outcome) {
  return {
    delivery_id: attempt.delivery.id,
    number: attempt.number,
    started_at: attempt.startedAt,
    duration_ms: Math.max(0, Math.round(result.durationMs)),
    status: result.status,
    error: result.error,
    error_detail: result.errorDetail,
    response: result.response,
  };
}
