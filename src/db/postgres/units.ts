import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { runAfterCommit, runBeforeCommit, type Tx } from '../database.ts';
import type { Tables } from '../tables/tables.ts';
import { isCrossed, isUnreachable } from './failures.ts';
import { AWAY_MAX_MS, mayBeBack } from './reconnect.ts';

/**
 * The start of every unit. Read committed, because every unit that decides locks first what it decides about: each
 * later statement then sees what is committed by that moment. Serializable would notice a forgotten lock, but takes every
 * two events that are written at the same time for a conflict, since each looks where the other's goes. The deadlines
 * travel with the unit, not with the connection, so that a pooler between may lend the connection to somebody else.
 */
export const BEGIN_UNIT = [
  'begin isolation level read committed',
  'set local statement_timeout = 15000',
  'set local lock_timeout = 6000',
  'set local idle_in_transaction_session_timeout = 15000',
].join('; ');

/** A migration may take its time, and nobody may use what it changes before it is through. */
export const BEGIN_MIGRATION = 'begin isolation level read committed; set local statement_timeout = 0';

/** How often a unit runs anew because another one got in its way. */
const CROSSED_MAX = 8;
/** Units that may wait for their turn; beyond it a call fails at once instead of queueing without end. */
const UNITS_WAITING_MAX = 20_000;

interface Waiting {
  /** `performance.now()` when it was queued. */
  since: number;
  go(): void;
  refuse(error: unknown): void;
}

/** The unit of work on PostgreSQL: a transaction on a connection of the pool. First come, first served. */
export class Units {
  readonly #db: Kysely<Tables>;
  readonly #runningMax: number;
  #running = 0;
  #waiting: Waiting[] = [];
  readonly #drained: (() => void)[] = [];

  /** `runningMax` is how many connections the pool behind `db` has. */
  constructor(db: Kysely<Tables>, runningMax: number) {
    this.#db = db;
    this.#runningMax = runningMax;
  }

  /** Runs a unit; see `Database.unit`. */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#running < this.#runningMax) this.#running++;
    else await this.#turn();
    try {
      return await this.#runUntilDone(work);
    } finally {
      const next = this.#waiting.shift();
      if (next) next.go();
      else this.#running--;
      if (this.#running === 0) for (const tell of this.#drained.splice(0)) tell();
    }
  }

  /** Waits here and not in the pool, whose deadline is for a server that is away, not for a long queue. */
  async #turn(): Promise<void> {
    if (this.#waiting.length >= UNITS_WAITING_MAX) {
      throw new Error(`${UNITS_WAITING_MAX} units of work wait already`);
    }
    const since = performance.now();
    await new Promise<void>((go, refuse) => this.#waiting.push({ since, go, refuse }));
  }

  /** A queue longer than the connections must not wait for a server that is away once for every few units. */
  #refuseOverdue(error: unknown): void {
    const queuedBefore = performance.now() - AWAY_MAX_MS;
    const overdue = this.#waiting.filter(({ since }) => since <= queuedBefore);
    this.#waiting = this.#waiting.filter(({ since }) => since > queuedBefore);
    for (const { refuse } of overdue) refuse(error);
  }

  /** Resolves when no unit runs any more. */
  async drain(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  async #runUntilDone<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const since = performance.now();
    for (let crossed = 0; ; ) {
      const progress = { committing: false };
      try {
        return await this.#runOnce(work, progress);
      } catch (error) {
        if (isCrossed(error) && crossed < CROSSED_MAX) {
          crossed++;
          await delay(Math.random() * 2 ** crossed);
          continue;
        }
        // A connection that was lost during the commit leaves its outcome open: running anew could do the work twice.
        if (progress.committing) throw error;
        if (await mayBeBack(error, since)) continue;
        if (isUnreachable(error)) this.#refuseOverdue(error);
        throw error;
      }
    }
  }

  async #runOnce<T>(work: (tx: Tx) => Promise<T>, progress: { committing: boolean }): Promise<T> {
    const { value, tx } = await this.#db.transaction().execute(async (transaction) => {
      const tx = transaction as unknown as Tx;
      const value = await work(tx);
      await runBeforeCommit([tx]);
      progress.committing = true;
      return { value, tx };
    });
    runAfterCommit(tx);
    return value;
  }
}
