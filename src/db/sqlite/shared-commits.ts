import type Sqlite from 'better-sqlite3';
import type { Kysely } from 'kysely';
import pRetry from 'p-retry';
import { errorCode } from '../../kernel/errors.ts';
import { runAfterCommit, runBeforeCommit, type Tx } from '../database.ts';
import type { Tables } from '../tables/tables.ts';

/** The most units per commit; more would delay the first of them. */
const UNITS_PER_COMMIT_MAX = 256;
/** How long a commit is delayed while more units arrive: about the duration of a commit. */
const GATHER_MS_MAX = 2;
/** The most units that may wait; beyond it a call fails immediately. */
const UNITS_WAITING_MAX = 20_000;
/** How long a unit waits for another process's lock, including its time in the queue. */
const BUSY_WAIT_MAX_MS = 6000;

/** Callbacks around commits. Only `committing` may throw. */
interface Hooks {
  /** Called before each transaction: null, or a promise to wait for. */
  hold(): Promise<void> | null;
  /** Called at the end of each transaction. Throws when its commit would be lost. */
  committing(): void;
  /** Called after each commit, before any caller's promise resolves. */
  committed(): void;
}

interface Waiting {
  /** `performance.now()` when it was queued. */
  since: number;
  run(tx: Tx): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { unit: Waiting; tx: Tx } & ({ ok: true; value: unknown } | { ok: false; error: unknown });

/**
 * The unit of work on SQLite. Units that wait at the same time run one after the other inside one `BEGIN IMMEDIATE` and resolve
 * after the shared commit. When one fails, all are rolled back and run again, each in a savepoint, so that only the failing one
 * is undone. Forcing a commit to disk is the most expensive part of a payment, so units share it.
 */
export class SharedCommits {
  readonly #handle: Sqlite.Database;
  readonly #db: Kysely<Tables>;
  readonly #hooks: Hooks;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | null = null;
  #committing: Promise<void> | null = null;

  constructor(handle: Sqlite.Database, db: Kysely<Tables>, hooks: Hooks) {
    this.#handle = handle;
    this.#db = db;
    this.#hooks = hooks;
  }

  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#waiting.length >= UNITS_WAITING_MAX) {
      return Promise.reject(new Error(`${UNITS_WAITING_MAX} units of work are already waiting`));
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.push({ since: performance.now(), run: work, resolve, reject });
    this.#draining ??= this.#drain();
    return promise as Promise<T>;
  }

  /** Resolves when no unit waits. */
  async drain(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  /** Resolves between two commits: what the caller does in the same turn of the event loop runs outside of them. */
  async between(): Promise<void> {
    await this.#committing;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const hold = this.#hooks.hold();
      if (hold) await hold;
      await this.#gather();
      this.#committing = this.#commit(this.#waiting.splice(0, UNITS_PER_COMMIT_MAX));
      await this.#committing;
      this.#committing = null;
    }
    this.#draining = null;
  }

  /** Waits while each turn of the event loop adds another unit, so that concurrent callers share a commit. */
  async #gather(): Promise<void> {
    const end = performance.now() + GATHER_MS_MAX;
    let before: number;
    do {
      before = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    } while (
      this.#waiting.length > before &&
      this.#waiting.length < UNITS_PER_COMMIT_MAX &&
      performance.now() < end
    );
  }

  async #commit(units: Waiting[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      await this.#begin(units);
      outcomes = (await this.#runTogether(units)) ?? (await this.#runInSavepoints(units));
      await runBeforeCommit(outcomes.flatMap(({ ok, tx }) => (ok ? tx : [])));
      this.#hooks.committing();
      this.#handle.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      for (const unit of units) unit.reject(error);
      if (isBusy(error)) this.#rejectOverdue(error);
      return;
    }
    this.#hooks.committed();
    for (const outcome of outcomes) {
      if (outcome.ok) {
        outcome.unit.resolve(outcome.value);
        runAfterCommit(outcome.tx);
      } else {
        outcome.unit.reject(outcome.error);
      }
    }
  }

  /** Begins a transaction. Waits for another process's lock until the first unit has waited long enough. */
  async #begin(units: readonly Waiting[]): Promise<void> {
    const begin = () => this.#handle.exec('BEGIN IMMEDIATE');
    try {
      return void begin();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    const since = units[0]?.since ?? performance.now();
    await pRetry(begin, {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 5,
      maxTimeout: 500,
      maxRetryTime: Math.max(0, BUSY_WAIT_MAX_MS - (performance.now() - since)),
      shouldRetry: ({ error }) => isBusy(error),
    });
  }

  /** Rejects units that have waited too long, so that a long queue does not repeat the wait for the same lock. */
  #rejectOverdue(error: unknown): void {
    const queuedBefore = performance.now() - BUSY_WAIT_MAX_MS;
    const inTime = this.#waiting.findIndex(({ since }) => since > queuedBefore);
    const overdue = this.#waiting.splice(0, inTime === -1 ? this.#waiting.length : inTime);
    for (const unit of overdue) unit.reject(error);
  }

  /** Never throws: if the rollback fails, the next BEGIN fails too and rolls back again. */
  #rollBack(): void {
    try {
      if (this.#handle.inTransaction) this.#handle.exec('ROLLBACK');
    } catch {}
  }

  /** Each unit has its own handle object, because deferred work is kept per handle. */
  #newTx(): Tx {
    return this.#db.withoutPlugins() as Tx;
  }

  /** Runs the units without savepoints. When one of them fails, begins a new transaction and resolves to null. */
  async #runTogether(units: readonly Waiting[]): Promise<Outcome[] | null> {
    const outcomes: Outcome[] = [];
    for (const unit of units) {
      const tx = this.#newTx();
      try {
        const value = await unit.run(tx);
        // Without a transaction, the next units would commit each statement separately.
        if (!this.#handle.inTransaction) throw new Error('the transaction ended inside a unit of work');
        outcomes.push({ unit, tx, ok: true, value });
      } catch (error) {
        // Some failures (disk full, I/O error) end the entire transaction.
        if (!this.#handle.inTransaction) throw error;
        this.#handle.exec('ROLLBACK');
        await this.#begin(units);
        return null;
      }
    }
    return outcomes;
  }

  async #runInSavepoints(units: readonly Waiting[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const unit of units) {
      const tx = this.#newTx();
      this.#handle.exec('SAVEPOINT unit');
      try {
        const value = await unit.run(tx);
        this.#handle.exec('RELEASE unit');
        outcomes.push({ unit, tx, ok: true, value });
      } catch (error) {
        if (!this.#handle.inTransaction) throw error;
        this.#handle.exec('ROLLBACK TO unit; RELEASE unit');
        outcomes.push({ unit, tx, ok: false, error });
      }
    }
    return outcomes;
  }
}

function isBusy(error: unknown): boolean {
  return errorCode(error) === 'SQLITE_BUSY';
}
