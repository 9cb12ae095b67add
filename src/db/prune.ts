import type { Tx } from './database.ts';
import { hasRowLocks } from './row-locks.ts';

/** One batch of deletions: the rows deleted, and the id to continue after; null when no old rows remain. */
export interface PrunedBatch {
  rows: number;
  after: string | null;
}

/** The rows that one batch reads. Small on SQLite, where other transactions wait for the batch. */
export function pruneBatchSize(tx: Tx): number {
  return hasRowLocks(tx) ? 200 : 20;
}
