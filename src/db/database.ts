import type { Kysely } from 'kysely';
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
