import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Claimed } from './claim.ts';
import type { AttemptResult } from './deliver.ts';
import { nextAttemptAt } from './schedule.ts';
import { countCut, finishDeliveries, lockLanes, planRetries, putAttempts, unblockLanes } from './store.ts';

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
 * Writes how attempts ended, many in one unit; `take` is asked for them when the unit begins, and must give the same ones
 * should it begin anew. An attempt's row tells the truth in any case; the delivery moves only while the claim is still ours.
 */
export async function recordOutcomes(
  deps: Pick<Deps, 'db' | 'clock'>,
  take: () => readonly Outcome[],
): Promise<Recorded> {
  return await deps.db.unit(async (tx) => {
    const outcomes = take();
    await lockLanes(tx, lanesOf(outcomes));
    const now = deps.clock.now();
    await putAttempts(tx, outcomes.map(attemptRow));
    const retries: number[] = [];
    const finished: Recorded['finished'] = [];
    // What shares a claim and a fate shares a statement: attempts that hang end many at a time.
    for (const [first, ids] of await byFate(tx, outcomes)) {
      const { state, at, token } = first;
      if (state === 'due') {
        if ((await planRetries(tx, ids, token, at)).length > 0) retries.push(at);
      } else {
        const ended = await finishDeliveries(tx, ids, { state, now, token });
        finished.push(...ended.map((id) => ({ id, state })));
      }
    }
    const unblocked = await freeLanes(tx, outcomes, finished);
    return { finished, retryAt: retries.length === 0 ? null : Math.min(...retries), unblocked };
  });
}

type Fate = { token: string } & (
  | { state: 'delivered' | 'undelivered'; at: null }
  | { state: 'due'; at: number }
);

/** The deliveries by what becomes of them. Their attempts' outcomes are written already. */
async function byFate(tx: Tx, outcomes: readonly Outcome[]): Promise<Iterable<[Fate, Id<'dlv'>[]]>> {
  const repeated = outcomes.filter(({ attempt, result }) => result.error !== null && attempt.number > 1);
  const cut: ReadonlyMap<Id<'dlv'>, number> = repeated.length === 0
    ? new Map()
    : await countCut(
        tx,
        repeated.map(({ attempt }) => attempt.delivery.id),
      );
  const fates = new Map<string, [Fate, Id<'dlv'>[]]>();
  for (const outcome of outcomes) {
    const { id } = outcome.attempt.delivery;
    const fate = fateOf(outcome, cut.get(id) ?? 0);
    const key = `${fate.token} ${fate.state} ${fate.at}`;
    const group = fates.get(key);
    if (group) group[1].push(id);
    else fates.set(key, [fate, [id]]);
  }
  return fates.values();
}

function fateOf({ attempt: { number, token }, result }: Outcome, cut: number): Fate {
  if (result.error === null) return { token, state: 'delivered', at: null };
  const at = nextAttemptAt(number, cut, result.endedAt);
  return at === null ? { token, state: 'undelivered', at } : { token, state: 'due', at };
}

async function freeLanes(
  tx: Tx,
  outcomes: readonly Outcome[],
  finished: Recorded['finished'],
): Promise<boolean> {
  const ids = new Set(finished.map(({ id }) => id));
  const lanes = lanesOf(outcomes.filter(({ attempt }) => ids.has(attempt.delivery.id)));
  return lanes.length > 0 && (await unblockLanes(tx, lanes)) > 0;
}

function lanesOf(outcomes: readonly Outcome[]): Id<'tx'>[] {
  return outcomes.flatMap(({ attempt }) => attempt.delivery.transaction_id ?? []);
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
