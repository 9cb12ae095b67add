import type { Tx } from './database.ts';
import { hasRowLocks } from './row-locks.ts';

/** One batch of deletions: the rows deleted, and the id to continue after; null when nothing old is left. */
export interface PrunedBatch {
  rows: number;
  after: string | null;
}

/** Rows that one batch reads. Small on SQLite, where other transactions wait until a batch ends. */
export function pruneBatchSize(tx: Tx): number {
  return hasRowLocks(tx) ? 200 : 20;
}
