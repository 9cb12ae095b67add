import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { type AlertDeps, alertUndelivered } from '../alert.ts';
import type { AttemptResult } from '../transport/exchange.ts';
import { countInterrupted, endAttempts } from './attempts-store.ts';
import type { Claimed } from './claim.ts';
import { ATTEMPT_DELAYS_MS, nextAttemptAt } from './schedule.ts';
import {
  finishDeliveries,
  holdRecoveries,
  lockTransactions,
  type OwnDelivery,
  scheduleRetries,
  unblockNext,
} from './store.ts';

/** Outcomes that one database transaction writes at most. */
const BATCH_MAX = 256;
/** How long `gathered` waits at most: about as long as a commit takes. */
const GATHER_MS_MAX = 2;
/** Turns of the event loop without a new outcome after which `gathered` stops waiting. */
const QUIET_TURNS = 4;
const RETRY_MS = 500;
/** How long an outcome that cannot be written is retried; after that the delivery becomes due when its lease ends. */
const KEPT_MS = 300_000;

/** How a claimed attempt ended. */
export interface Outcome {
  attempt: Claimed;
  result: AttemptResult;
}

/** What one batch of outcomes changed. */
export interface Recorded {
  finished: ReadonlyMap<Id<'dlv'>, 'delivered' | 'undelivered'>;
  /** The earliest retry that was scheduled; null when none was. */
  retryAt: number | null;
  /** Whether a later event of a transaction can be sent now. */
  unblocked: boolean;
}

/**
 * Writes the outcomes that `take` returns when the database transaction begins; it must return the same ones when the
 * database transaction is retried. A delivery changes only while its claim still holds.
 */
export async function recordOutcomes(
  deps: Pick<Deps, 'db'> & AlertDeps,
  take: () => readonly Outcome[],
): Promise<Recorded> {
  return await deps.db.unit(async (tx) => {
    const outcomes = take();
    await holdRecoveries(tx, outcomes.filter(mayBeLast).map(deliveryOf));
    await lockTransactions(tx, outcomes.map(deliveryOf));
    const now = deps.clock.now();
    await endAttempts(tx, outcomes.map(attemptRow));
    let retryAt: number | null = null;
    const finished = new Map<Id<'dlv'>, 'delivered' | 'undelivered'>();
    for (const [{ state, at, token }, deliveries] of await groupByNextState(tx, outcomes)) {
      if (state === 'due') {
        const planned = await scheduleRetries(tx, deliveries, { token, at });
        if (planned.length > 0) retryAt = Math.min(retryAt ?? at, at);
      } else {
        const ended = await finishDeliveries(tx, deliveries, { state, now, token });
        for (const id of ended) finished.set(id, state);
      }
    }
    const done = outcomes.map(deliveryOf).filter(({ id }) => finished.has(id));
    const undelivered = done.filter(({ id }) => finished.get(id) === 'undelivered');
    await alertUndelivered(tx, deps, undelivered);
    return { finished, retryAt, unblocked: await unblockNext(tx, done) };
  });
}

/** Whether no further attempt may follow. */
function mayBeLast({ attempt, result }: Outcome): boolean {
  return result.error !== null && attempt.number >= ATTEMPT_DELAYS_MS.length;
}

type NextState = { token: string } & (
  | { state: 'delivered' | 'undelivered'; at: null }
  | { state: 'due'; at: number }
);

/** Groups deliveries that share a claim and a next state, so that each group takes one statement. */
async function groupByNextState(
  tx: Tx,
  outcomes: readonly Outcome[],
): Promise<Iterable<[NextState, OwnDelivery[]]>> {
  const repeated = outcomes.filter(({ attempt, result }) => result.error !== null && attempt.number > 1);
  const interrupted = await countInterrupted(
    tx,
    repeated.map(({ attempt }) => attempt.delivery),
  );
  const groups = new Map<string, [NextState, OwnDelivery[]]>();
  for (const outcome of outcomes) {
    const { delivery } = outcome.attempt;
    const next = nextStateOf(outcome, interrupted.get(delivery.id) ?? 0);
    const key = `${next.token} ${next.state} ${next.at}`;
    const group = groups.get(key);
    if (group) group[1].push(delivery);
    else groups.set(key, [next, [delivery]]);
  }
  return groups.values();
}

function nextStateOf({ attempt: { number, token }, result }: Outcome, interrupted: number): NextState {
  if (result.error === null) return { token, state: 'delivered', at: null };
  const at = nextAttemptAt(number, interrupted, result.endedAt);
  return at === null ? { token, state: 'undelivered', at } : { token, state: 'due', at };
}

function deliveryOf({ attempt }: Outcome): Claimed['delivery'] {
  return attempt.delivery;
}

function attemptRow({ attempt, result }: Outcome) {
  return {
    delivery_id: attempt.delivery.id,
    merchant_id: attempt.delivery.merchant_id,
    number: attempt.number,
    duration_ms: result.durationMs,
    status: result.status,
    error: result.error,
    error_detail: result.errorDetail,
    response: result.response,
  };
}

interface Pending {
  outcome: Outcome;
  resolve(recorded: Recorded | null): void;
}

type RecorderDeps = Pick<Deps, 'db' | 'log'> & AlertDeps;

/** Writes outcomes in sequential batches, and retries outcomes that the database refuses for up to `KEPT_MS`. */
export class Recorder {
  readonly #deps: RecorderDeps;
  #waiting: Pending[] = [];
  #refused: Pending[] = [];
  #isWriting = false;
  #isRetryPlanned = false;
  #isStopping = false;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /** Outcomes that are neither written nor being written. */
  get size(): number {
    return this.#waiting.length + this.#refused.length;
  }

  /** Keeps an outcome for the next `flush`. Resolves to what its batch changed, or to null when it could not be written. */
  add(outcome: Outcome): Promise<Recorded | null> {
    return new Promise((resolve) => {
      this.#waiting.push({ outcome, resolve });
      if (this.#isStopping) this.flush();
    });
  }

  /** Waits briefly for attempts that end at the same time, so that one commit contains their outcomes and the next claims. */
  async gathered(): Promise<void> {
    const end = performance.now() + GATHER_MS_MAX;
    let quietTurns = this.#waiting.length === 0 ? QUIET_TURNS : 0;
    while (quietTurns < QUIET_TURNS && performance.now() < end) {
      const before = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
      quietTurns = this.#waiting.length > before ? 0 : quietTurns + 1;
    }
  }

  /** Queues a database transaction that writes the outcomes added until it begins. */
  flush(): void {
    if (!this.#isWriting && this.#waiting.length > 0) void this.#write();
  }

  /** Writes immediately from now on, and discards outcomes that the database refuses. */
  stop(): void {
    this.#isStopping = true;
    for (const { resolve } of this.#refused.splice(0)) resolve(null);
    this.flush();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) await this.#writeBatch();
    this.#isWriting = false;
    if (this.#refused.length > 0 && !this.#isRetryPlanned) {
      this.#isRetryPlanned = true;
      this.#deps.clock.after(RETRY_MS, () => {
        this.#isRetryPlanned = false;
        this.#waiting.push(...this.#refused.splice(0));
        this.flush();
      });
    }
  }

  async #writeBatch(): Promise<void> {
    let batch: Pending[] | null = null;
    const take = () => {
      batch ??= this.#waiting.splice(0, BATCH_MAX);
      return batch;
    };
    try {
      const recorded = await recordOutcomes(this.#deps, () => take().map(({ outcome }) => outcome));
      for (const { resolve } of take()) resolve(recorded);
    } catch {
      // Separately, so that an outcome that cannot be written does not hold back the others.
      await Promise.all(take().map((pending) => this.#writeOne(pending)));
    }
  }

  async #writeOne(pending: Pending): Promise<void> {
    const { outcome, resolve } = pending;
    try {
      resolve(await recordOutcomes(this.#deps, () => [outcome]));
    } catch (error) {
      const { id } = outcome.attempt.delivery;
      this.#deps.log.error({ deliveryId: id, detail: errorText(error) }, 'cannot write a delivery outcome');
      const isKept = this.#deps.clock.now() < outcome.result.endedAt + KEPT_MS;
      if (isKept && !this.#isStopping) this.#refused.push(pending);
      else resolve(null);
    }
  }
}
