import type Sqlite from 'better-sqlite3';
import type { Kysely } from 'kysely';
import pRetry from 'p-retry';
import { runAfterCommit, runBeforeCommit, type Tx } from '../database.ts';
import type { Tables } from '../tables/tables.ts';

/** Units that one commit carries at most, so that the first of them never waits long for the last. */
const UNITS_PER_COMMIT_MAX = 256;
/** How long a unit waits at most for others that keep arriving: about as long as a commit takes. */
const GATHER_MS_MAX = 2;
/** Units that may wait; beyond it a call fails at once instead of queueing without end. */
const UNITS_WAITING_MAX = 20_000;
/** How long a unit waits for another process's lock, its time in the queue included; tried after 5, 10, 20 … 500 ms. */
const BUSY_WAIT_MAX_MS = 6000;

/** What else happens around commits; nothing of it may fail. */
interface Around {
  /** How often the writer's handle has changed something, rows or the schema; only whether it grows matters. */
  written(): number;
  /** Called before each commit: null, or what the units wait for before they begin. */
  hold(): Promise<void> | null;
  /** Called after each commit, before anybody is told of it. */
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
 * The unit of work on SQLite. Units that wait at the same time run one after the other inside one `BEGIN IMMEDIATE`
 * and resolve after the shared commit; a failing unit rolls back alone. Forcing a commit
 * to disk is the dearest part of a payment: shared, it gave 17,400 inserts/s where one each gave 3,300.
 *
 * They run without savepoints, in which SQLite copies each page that a unit changes: 3 to 5 µs of the 14 to 16 that the
 * statements of an init take. A unit that fails before it writes, as refusals do, leaves nothing behind. Should one fail that
 * has written, all is rolled back and the others run again, each in a savepoint.
 */
export class SharedCommits {
  readonly #handle: Sqlite.Database;
  readonly #db: Kysely<Tables>;
  readonly #around: Around;
  readonly #savepoint: Sqlite.Statement;
  readonly #release: Sqlite.Statement;
  readonly #rollBackTo: Sqlite.Statement;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | null = null;

  constructor(handle: Sqlite.Database, db: Kysely<Tables>, around: Around) {
    this.#handle = handle;
    this.#db = db;
    this.#around = around;
    this.#savepoint = handle.prepare('SAVEPOINT unit');
    this.#release = handle.prepare('RELEASE unit');
    this.#rollBackTo = handle.prepare('ROLLBACK TO unit');
  }

  /** Queues a unit; see `Database.unit`. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#waiting.length >= UNITS_WAITING_MAX) {
      return Promise.reject(new Error(`${UNITS_WAITING_MAX} units of work wait already`));
    }
    const queued = queue(this.#waiting, work);
    this.#draining ??= this.#drain();
    return queued;
  }

  /** Resolves when no unit waits any more. */
  async drain(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const hold = this.#around.hold();
      if (hold) await hold;
      await this.#gather();
      await this.#commit(this.#waiting.splice(0, UNITS_PER_COMMIT_MAX));
    }
    this.#draining = null;
  }

  /**
   * Whatever arrives together commits together: waits for as long as each turn of the event loop brings another unit.
   * Waiting for one turn alone split 32 callers into two halves that took turns, each with a commit of its own.
   */
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
    const outcomes: Outcome[] = [];
    try {
      await this.#begin(units);
      const strayed = await this.#runTogether(units, outcomes);
      if (strayed !== null) {
        this.#handle.exec('ROLLBACK');
        outcomes.splice(0, outcomes.length, strayed);
        await this.#begin(units);
        for (const unit of units) {
          if (unit !== strayed.unit) outcomes.push(await this.#runInSavepoint(unit));
        }
      }
      await runBeforeCommit(handlesOf(outcomes));
      this.#handle.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      for (const unit of units) unit.reject(error);
      if (isBusy(error)) this.#refuseOverdue(error);
      return;
    }
    this.#around.committed();
    for (const outcome of outcomes) {
      if (outcome.ok) {
        outcome.unit.resolve(outcome.value);
        runAfterCommit(outcome.tx);
      } else {
        outcome.unit.reject(outcome.error);
      }
    }
  }

  async #begin(units: readonly Waiting[]): Promise<void> {
    if (!this.#beginAtOnce()) await this.#beginInTime(units[0]?.since ?? performance.now());
  }

  #beginAtOnce(): boolean {
    try {
      this.#handle.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** Waits for another process's lock until the patience of the first unit, queued at `since`, is over. */
  async #beginInTime(since: number): Promise<void> {
    await pRetry(() => this.#handle.exec('BEGIN IMMEDIATE'), {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 5,
      maxTimeout: 500,
      maxRetryTime: Math.max(0, BUSY_WAIT_MAX_MS - (performance.now() - since)),
      shouldRetry: ({ error }) => isBusy(error),
    });
  }

  /** A queue longer than one commit must not wait for the same lock once for each commit. */
  #refuseOverdue(error: unknown): void {
    const queuedBefore = performance.now() - BUSY_WAIT_MAX_MS;
    const inTime = this.#waiting.findIndex(({ since }) => since > queuedBefore);
    const overdue = this.#waiting.splice(0, inTime === -1 ? this.#waiting.length : inTime);
    for (const unit of overdue) unit.reject(error);
  }

  /** When even this fails, the next BEGIN fails too and comes here again: every unit gets its answer meanwhile. */
  #rollBack(): void {
    try {
      if (this.#handle.inTransaction) this.#handle.exec('ROLLBACK');
    } catch {}
  }

  /** Adds the outcomes of these units, up to one that wrote and failed, which it resolves to. */
  async #runTogether(units: readonly Waiting[], outcomes: Outcome[]): Promise<Outcome | null> {
    for (const unit of units) {
      const tx = this.#newHandle();
      const written = this.#around.written();
      try {
        const value = await unit.run(tx);
        // A unit that goes on after a failure of that kind would have the next ones commit each statement by itself.
        if (!this.#handle.inTransaction) throw new Error('the transaction ended inside of a unit of work');
        outcomes.push({ unit, tx, ok: true, value });
      } catch (error) {
        this.#requireTransaction(error);
        const failed: Outcome = { unit, tx, ok: false, error };
        if (this.#around.written() !== written) return failed;
        outcomes.push(failed);
      }
    }
    return null;
  }

  /** A handle of its own for every unit: what is registered for after the commit belongs to it alone. */
  #newHandle(): Tx {
    return this.#db.withoutPlugins() as Tx;
  }

  /** Some failures (disk full, I/O) end the whole transaction: then nobody's work is left to commit. */
  #requireTransaction(error: unknown): void {
    if (!this.#handle.inTransaction) throw error;
  }

  async #runInSavepoint(unit: Waiting): Promise<Outcome> {
    const tx = this.#newHandle();
    this.#savepoint.run();
    try {
      const value = await unit.run(tx);
      this.#release.run();
      return { unit, tx, ok: true, value };
    } catch (error) {
      this.#requireTransaction(error);
      this.#rollBackTo.run();
      this.#release.run();
      return { unit, tx, ok: false, error };
    }
  }
}

function queue<T>(waiting: Waiting[], work: (tx: Tx) => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const since = performance.now();
    waiting.push({ since, run: work, resolve: resolve as (value: unknown) => void, reject });
  });
}

/** Of the units that did not fail. */
function handlesOf(outcomes: readonly Outcome[]): Tx[] {
  return outcomes.filter((outcome) => outcome.ok).map((outcome) => outcome.tx);
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}
