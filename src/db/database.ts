import { type Kysely, PostgresAdapter } from 'kysely';
import type { ClusterBus } from './cluster-bus.ts';
import type { Tables } from './tables/tables.ts';

declare const txBrand: unique symbol;

/** A handle that reads: the committed state, or a transaction's own view. Query functions take it first. */
export type Queryable = Kysely<Tables>;

/**
 * Whether the engine is PostgreSQL, whose rows are locked by `for update`. SQLite has no row locks and needs none, because one unit
 * writes at a time.
 */
export function isPostgres(db: Queryable): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** The handle of one unit of work (a database transaction). Functions that write require it. */
export type Tx = Kysely<Tables> & { readonly [txBrand]: true };

/** See `Database.unit`. */
export interface UnitOptions {
  readonly shared?: boolean;
  readonly key?: string;
  readonly deferred?: boolean;
}

/** One database, on either engine. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** Reads the committed state. Must not be used inside a unit, because it does not see the unit's writes. */
  readonly read: Queryable;
  /**
   * Reads one committed state: all reads of `work` see the same commits. For answers that are made of several reads. `work` must
   * not wait for network, timers, units or other snapshots, nor use `read`.
   */
  snapshot<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one all-or-nothing transaction and resolves after its commit is on disk; when `work` throws, the transaction
   * is rolled back and the promise rejects with its error. `work` must not wait for network, timers or other units, and must have
   * no side effects outside: it may run again after a rollback. On PostgreSQL, `shared` units that wait at the same time share a
   * transaction, in the order of their `key`; such `work` locks at most one row itself, that of its `key`, so that no two of these
   * transactions can deadlock, and defers most writes to `beforeCommit`. `deferred` work runs no statement itself on PostgreSQL and
   * defers only to a write of one statement: that statement is then the transaction, without BEGIN and COMMIT.
   */
  unit<T>(work: (tx: Tx) => Promise<T>, options?: UnitOptions): Promise<T>;
  /** Connects the processes that share this database; null on SQLite, which one process serves at a time. */
  readonly cluster: ClusterBus | null;
  /** Copies the database, online, into a new file. Resolves to the copy's size in bytes. */
  backup(file: string): Promise<number>;
  /**
   * SQLite: copies the write-ahead log into the file and empties it, so that erased data is left in neither. Gives up after five
   * seconds in which another process reads.
   */
  emptyLog(): Promise<void>;
  /** The size of the write-ahead log; null on PostgreSQL. */
  logBytes(): number | null;
  /** Finishes the queued units, then closes. */
  close(): Promise<void>;
}

/** A transaction whose commit was not confirmed, so that it may have been saved. */
export class UnclearCommit extends Error {}

/** Work of a unit that is deferred to its commit. */
interface Deferred {
  readonly after: (() => void)[];
  readonly before: Map<CommitWrite<unknown>, unknown[]>;
}

/** Kept on the handle itself: a weak map with an entry for each unit slows the garbage collector. */
const DEFERRED = Symbol('deferred');

function deferredOf(tx: Tx & { [DEFERRED]?: Deferred }): Deferred {
  tx[DEFERRED] ??= { after: [], before: new Map() };
  return tx[DEFERRED];
}

/** Runs `task` after the commit of `tx`; never when it is rolled back. For waking workers. */
export function afterCommit(tx: Tx, task: () => void): void {
  deferredOf(tx).after.push(task);
}

/** For the engines: runs the deferred tasks of a committed unit. */
export function runAfterCommit(tx: Tx): void {
  for (const task of deferredOf(tx).after) task();
}

/** Writes the items of all units that share a commit. */
type CommitWrite<T> = (tx: Tx, items: readonly T[]) => Promise<void>;

/**
 * Defers `item` to `write`, which runs once right before the commit, in the same transaction, with the items of all successful
 * units that share the commit. For sums that every unit adds to.
 */
export function beforeCommit<T>(tx: Tx, write: CommitWrite<T>, item: T): void {
  const { before } = deferredOf(tx);
  const items = before.get(write as CommitWrite<unknown>) ?? [];
  before.set(write as CommitWrite<unknown>, items);
  items.push(item);
}

/** For the engines: runs the deferred writes of the successful units of one commit, on the handle of the first. */
export async function runBeforeCommit(units: readonly Tx[]): Promise<void> {
  const [tx] = units;
  if (tx === undefined) return;
  for (const [write, items] of deferredWrites(units)) await write(tx, items);
}

/** For the engines: the deferred writes of units that share a commit, each with the items of all. */
export function deferredWrites(units: readonly Tx[]): ReadonlyMap<CommitWrite<unknown>, unknown[]> {
  const all: Deferred['before'] = new Map();
  for (const unit of units) {
    for (const [write, items] of deferredOf(unit).before) {
      const gathered = all.get(write);
      if (gathered === undefined) all.set(write, [...items]);
      else gathered.push(...items);
    }
  }
  return all;
}
