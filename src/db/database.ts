import type { Kysely } from 'kysely';
import type { Neighbours } from './neighbours.ts';
import type { Tables } from './tables.ts';

declare const txBrand: unique symbol;

/** A handle that reads: the committed state, or a unit's own view. Query functions take it first. */
export type Queryable = Kysely<Tables>;

/** The handle of one unit of work. Functions that write demand it, so that nothing writes outside a unit. */
export type Tx = Kysely<Tables> & { readonly [txBrand]: true };

/** One database, whichever engine stands behind it. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** Reads what is committed. Never use it inside a unit: it does not see the unit's own writes. */
  readonly read: Queryable;
  /**
   * Runs `work` as one all-or-nothing unit and resolves after its commit is on disk; when it throws, nothing of it
   * stays and the promise rejects with its error. No network, no timer and no other unit inside: others wait behind it.
   */
  unit<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The other processes on this database; null where one process at a time works. */
  readonly neighbours: Neighbours | null;
  /** Copies the database, online, into a new file. Resolves to the copy's size in bytes. */
  backup(file: string): Promise<number>;
  /** Finishes the units that wait, then closes. */
  close(): Promise<void>;
}

const afterCommits = new WeakMap<object, (() => void)[]>();

/** Runs `task` once the unit of `tx` is committed; never, when it is not. For waking whoever waits for the work. */
export function afterCommit(tx: Tx, task: () => void): void {
  const tasks = afterCommits.get(tx);
  if (tasks) tasks.push(task);
  else afterCommits.set(tx, [task]);
}

/** For the engines: runs what the committed unit of `tx` asked for. */
export function runAfterCommit(tx: Tx): void {
  for (const task of afterCommits.get(tx) ?? []) task();
}

/** Writes what the units of one commit left for it, all at once. */
export type CommitWrite<T> = (tx: Tx, items: readonly T[]) => Promise<void>;

const leftForCommit = new WeakMap<object, Map<CommitWrite<never>, unknown[]>>();

/**
 * Leaves `item` for `write`, which runs once right before the commit, in the same transaction, with the items of all
 * units that share the commit; nothing of it stays of a unit that fails. For sums that every unit adds to: together
 * they cost one statement.
 */
export function beforeCommit<T>(tx: Tx, write: CommitWrite<T>, item: T): void {
  const writes = leftForCommit.get(tx) ?? new Map<CommitWrite<never>, unknown[]>();
  leftForCommit.set(tx, writes);
  const items = writes.get(write);
  if (items) items.push(item);
  else writes.set(write, [item]);
}

/** For the engines: writes what the successful units of one commit left, by the handle of one of them. */
export async function runBeforeCommit(units: readonly Tx[]): Promise<void> {
  const [tx] = units;
  if (tx === undefined) return;
  const all = new Map<CommitWrite<never>, unknown[]>();
  for (const unit of units) {
    for (const [write, items] of leftForCommit.get(unit) ?? []) {
      const known = all.get(write);
      if (known) known.push(...items);
      else all.set(write, [...items]);
    }
  }
  for (const [write, items] of all) await write(tx, items as never[]);
}
