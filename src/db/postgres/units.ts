import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import { deferredWrites, runAfterCommit, runBeforeCommit, type Tx, type UnitOptions } from '../database.ts';
import { LOCK_TIMEOUT_MS } from '../row-locks.ts';
import type { Tables } from '../tables/tables.ts';
import {
  DISCONNECTED_MAX_MS,
  isConflict,
  isLockTimeout,
  isLostAnswer,
  isRefused,
  isUnreachable,
  isUnsent,
  UnknownCommit,
  waitToReconnect,
} from './failures.ts';

/**
 * The start of every transaction. Read committed is enough, because every unit of work first locks the rows that it decides
 * about. The settings are local to the transaction, because a pooler shares its connections among clients. The warning of an
 * unconfirmed commit must arrive whatever the role's settings are. Sequential and bitmap scans are off: a plan cached while a
 * table is small would stay in use as it grows, and a bitmap would read the index of all of a merchant's rows.
 */
export const BEGIN_UNIT = [
  'begin isolation level read committed',
  'set local statement_timeout = 15000',
  `set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
  'set local idle_in_transaction_session_timeout = 15000',
  'set local client_min_messages = warning',
  'set local enable_seqscan = off',
  'set local enable_hashjoin = off',
  'set local enable_mergejoin = off',
  'set local enable_bitmapscan = off',
].join('; ');

/** A migration has no time limit. */
export const BEGIN_MIGRATION = 'begin isolation level read committed; set local statement_timeout = 0';

/** How often a transaction is retried after a serialization conflict. */
const CONFLICT_RETRIES_MAX = 8;
/** The most units that may wait; beyond it a call fails immediately. */
const UNITS_WAITING_MAX = 20_000;

/** The most shared units per transaction; more would delay the first of them. */
const SHARED_MAX = 64;
/** Concurrent transactions of shared units, so that further units collect while these run. */
const SHARED_TRANSACTIONS_MAX = 2;

/** For the handles of deferred work. */
const NO_STATEMENTS = new Kysely<Tables>({
  dialect: new PostgresDialect({
    pool: () => Promise.reject(new Error('a deferred unit must not run statements')),
  }),
});

type Work = (tx: Tx) => Promise<unknown>;

interface SharedUnit {
  work: Work;
  /** `performance.now()` when it was queued. */
  since: number;
  /** The transactions of all processes run their units in this order. */
  key: string;
  deferred: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface Waiting {
  /** `performance.now()` when it was queued. */
  since: number;
  start(): void;
  reject(error: unknown): void;
}

/** The unit of work on PostgreSQL: a transaction on a connection of the pool, first come, first served. */
export class Units {
  readonly #db: Kysely<Tables>;
  /** For statements without BEGIN. */
  readonly #statements: Kysely<Tables>;
  readonly #runningMax: number;
  #running = 0;
  #waiting: Waiting[] = [];
  readonly #drained: (() => void)[] = [];
  #shared: SharedUnit[] = [];
  #sharing = 0;

  /** `runningMax` is the number of connections in the pool of `db`; `statements` uses the same pool. */
  constructor(db: Kysely<Tables>, runningMax: number, statements = db) {
    this.#db = db;
    this.#statements = statements;
    this.#runningMax = runningMax;
  }

  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const [value] = await this.#inTurn(() => this.#runWithRetries([work]));
    return value as T;
  }

  runShared<T>(work: (tx: Tx) => Promise<T>, { key = '', deferred = false }: UnitOptions): Promise<T> {
    if (this.#shared.length >= UNITS_WAITING_MAX) {
      return Promise.reject(new Error(`${UNITS_WAITING_MAX} units of work are already waiting`));
    }
    const result = new Promise<unknown>((resolve, reject) =>
      this.#shared.push({ work, since: performance.now(), key, deferred, resolve, reject }),
    );
    if (this.#sharing < SHARED_TRANSACTIONS_MAX) void this.#runSharedUnits();
    return result as Promise<T>;
  }

  async #runSharedUnits(): Promise<void> {
    this.#sharing++;
    while (this.#shared.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const units = this.#shared.splice(0, SHARED_MAX);
      await this.#runTogether(units.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)));
    }
    this.#sharing--;
  }

  /** Runs units in one transaction. When it fails before its commit, each runs again in its own transaction. */
  async #runTogether(units: readonly SharedUnit[]): Promise<void> {
    if (units.length === 0) return;
    const progress = { committing: false };
    try {
      const values = await this.#inTurn(() =>
        units.every(({ deferred }) => deferred)
          ? this.#runStatement(units, progress)
          : this.#runOnce(
              units.map(({ work }) => work),
              progress,
            ),
      );
      for (const [i, { resolve }] of units.entries()) resolve(values[i]);
    } catch (error) {
      if (error instanceof UnknownCommit) this.#rejectOverdue(error.cause);
      for (const { work, resolve, reject } of units) {
        if (progress.committing) reject(error);
        else this.run(work).then(resolve, reject);
      }
    }
  }

  /** Runs a transaction when a connection is free. */
  async #inTurn<T>(transaction: () => Promise<T>): Promise<T> {
    if (this.#running < this.#runningMax) this.#running++;
    else await this.#wait();
    try {
      return await transaction();
    } finally {
      const next = this.#waiting.shift();
      if (next) next.start();
      else this.#running--;
      if (this.#running === 0) for (const resolve of this.#drained.splice(0)) resolve();
    }
  }

  /** Resolves when no unit runs. */
  async drain(): Promise<void> {
    while (this.#running > 0 || this.#sharing > 0) {
      if (this.#running > 0) await new Promise<void>((resolve) => this.#drained.push(resolve));
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Waits here instead of in the pool, whose timeout is for an unreachable server, not for a long queue. */
  async #wait(): Promise<void> {
    if (this.#waiting.length >= UNITS_WAITING_MAX) {
      throw new Error(`${UNITS_WAITING_MAX} units of work are already waiting`);
    }
    const since = performance.now();
    await new Promise<void>((start, reject) => this.#waiting.push({ since, start, reject }));
  }

  /** Rejects units that have waited too long, so that a long queue does not repeat the wait for a disconnected server or a lock. */
  #rejectOverdue(error: unknown): void {
    const queuedBefore = performance.now() - DISCONNECTED_MAX_MS;
    const isOverdue = ({ since }: { since: number }) => since <= queuedBefore;
    const overdue = [...this.#waiting, ...this.#shared].filter(isOverdue);
    this.#waiting = this.#waiting.filter((unit) => !isOverdue(unit));
    this.#shared = this.#shared.filter((unit) => !isOverdue(unit));
    for (const { reject } of overdue) reject(error);
  }

  async #runWithRetries(works: readonly Work[]): Promise<unknown[]> {
    const since = performance.now();
    for (let conflicts = 0; ; ) {
      const progress = { committing: false };
      try {
        return await this.#runOnce(works, progress);
      } catch (error) {
        if (isConflict(error) && conflicts < CONFLICT_RETRIES_MAX) {
          conflicts++;
          await delay(Math.random() * 2 ** conflicts);
          continue;
        }
        // After a connection loss during the commit the outcome is unknown: a retry could do the work twice.
        if (progress.committing) throw error;
        if (await waitToReconnect(error, since)) continue;
        if (isUnreachable(error) || isLockTimeout(error)) this.#rejectOverdue(error);
        throw error;
      }
    }
  }

  /** Runs deferred units as one statement, which PostgreSQL runs as a transaction. */
  async #runStatement(units: readonly SharedUnit[], progress: { committing: boolean }): Promise<unknown[]> {
    const handles = units.map(() => NO_STATEMENTS.withoutPlugins() as unknown as Tx);
    const values = await Promise.all(units.map(({ work }, i) => work(handles[i] as Tx)));
    const [deferred, ...others] = deferredWrites(handles);
    if (deferred === undefined || others.length > 0) {
      throw new Error('deferred units must defer to one write');
    }
    const [write, items] = deferred;
    const statement = this.#statements.connection().execute(async (connection) => {
      progress.committing = true;
      await write(connection.withoutPlugins() as unknown as Tx, items);
    });
    await statement.catch((error: unknown) => {
      if (isRefused(error)) progress.committing = false;
      throw progress.committing && isLostAnswer(error) ? new UnknownCommit(error) : error;
    });
    for (const tx of handles) runAfterCommit(tx);
    return values;
  }

  /** Each unit has its own handle object, because deferred work is kept per handle. */
  async #runOnce(works: readonly Work[], progress: { committing: boolean }): Promise<unknown[]> {
    const handles: Tx[] = [];
    const transaction = this.#db.transaction().execute(async (transaction) => {
      const values: unknown[] = [];
      for (const work of works) {
        const tx = transaction.withoutPlugins() as unknown as Tx;
        handles.push(tx);
        values.push(await work(tx));
      }
      await runBeforeCommit(handles);
      progress.committing = true;
      return values;
    });
    const values = await transaction.catch((error: unknown) => {
      if (isUnsent(error)) progress.committing = false;
      throw progress.committing && isLostAnswer(error) ? new UnknownCommit(error) : error;
    });
    for (const tx of handles) runAfterCommit(tx);
    return values;
  }
}
