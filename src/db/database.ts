import type { Kysely } from 'kysely';
import type { Neighbours } from './cluster-bus.ts';
import type { Tables } from './tables/tables.ts';

declare const txBrand: unique symbol;

/** A handle that reads: the committed state, or a unit's own view. Query functions take it first. */
export type Queryable = Kysely<Tables>;

/** The handle of one unit of work. Functions that write demand it, so that nothing writes outside a unit. */
export type Tx = Kysely<Tables> & Handle & { readonly [txBrand]: true };

/** One database, whichever engine stands behind it. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** Reads what is committed. Never use it inside a unit: it does not see the unit's own writes. */
  readonly read: Queryable;
  /**
   * Runs `work` as one all-or-nothing unit and resolves after its commit is on disk; when it throws, nothing of it
   * stays and the promise rejects with its error. No network, no timer and no other unit inside: others wait behind it. It may
   * be undone and run anew for another unit's sake, so that it leaves nothing outside but what it resolves to.
   */
  unit<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The other processes on this database; null where one process at a time works. */
  readonly neighbours: Neighbours | null;
  /** Copies the database, online, into a new file. Resolves to the copy's size in bytes. */
  backup(file: string): Promise<number>;
  /** The size of the log beside the database's file; null where there is no such log. */
  logBytes(): number | null;
  /** Finishes the units that wait, then closes. */
  close(): Promise<void>;
}

/**
 * What units leave until their commit stands on their handles themselves, under names that nobody else has: with weak maps, into
 * which each init brought a new handle, an init took 2 to 3 % more of the processor.
 */
interface Handle {
  [tasks]?: (() => void)[];
  [writes]?: Left;
}
const tasks = Symbol('run after the commit');
const writes = Symbol('left for a write before the commit');

/** Runs `task` once the unit of `tx` is committed; never, when it is not. For waking whoever waits for the work. */
export function afterCommit(tx: Tx, task: () => void): void {
  tx[tasks] ??= [];
  tx[tasks].push(task);
}

/** For the engines: runs what the committed unit of `tx` asked for. */
export function runAfterCommit(tx: Tx): void {
  for (const task of tx[tasks] ?? []) task();
}

/** Things left for functions that are called once for all units of a commit, by the function. */
type Left = Map<unknown, unknown[]>;

function add(left: Left, to: unknown, items: readonly unknown[]): void {
  const known = left.get(to);
  if (known) known.push(...items);
  else left.set(to, [...items]);
}

/** What these units left, by the function that it was left for. */
function gathered(units: readonly Handle[]): Left {
  const all: Left = new Map();
  for (const unit of units) for (const [to, items] of unit[writes] ?? []) add(all, to, items);
  return all;
}

/** Writes what the units of one commit left for it, all at once. */
export type CommitWrite<T> = (tx: Tx, items: readonly T[]) => Promise<void>;

/**
 * Leaves `item` for `write`, which runs once right before the commit, in the same transaction, with the items of all
 * units that share the commit; nothing of it stays of a unit that fails. For sums that every unit adds to: together
 * they cost one statement.
 */
export function beforeCommit<T>(tx: Tx, write: CommitWrite<T>, item: T): void {
  tx[writes] ??= new Map();
  add(tx[writes], write, [item]);
}

/** For the engines: writes what the successful units of one commit left, by the handle of one of them. */
export async function runBeforeCommit(units: readonly Tx[]): Promise<void> {
  const [tx] = units;
  if (tx === undefined) return;
  for (const [write, items] of gathered(units)) await (write as CommitWrite<unknown>)(tx, items);
}
