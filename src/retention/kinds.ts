import type { Settings } from '../config.ts';
import type { Tx } from '../db/database.ts';
import type { RetentionKey } from '../db/meta.ts';
import { type Batch, pruneAnswers, pruneDeliveryAttempts, pruneHints } from './store.ts';

/** One kind of row that ends with age. */
export interface Kind {
  /** The table, as it is named in the log and in the metrics. */
  readonly table: string;
  readonly key: RetentionKey;
  /** The age from which a row may go. */
  days(settings: Settings): number;
  /** Forgets a few rows that are as old as `before` (UTC milliseconds), beyond the id `after`. */
  prune(tx: Tx, before: number, after: string): Promise<Batch>;
}

/**
 * All that is ever forgotten for its age. Transactions, attempts, receipts, events and deliveries are not among it: their
 * unique keys are what keeps money and events from being counted twice, and a key that forgets is none.
 */
export const KINDS: readonly Kind[] = [
  {
    table: 'delivery_attempts',
    key: 'retention_delivery_attempts',
    days: (settings) => settings.deliveryAttemptDays,
    prune: pruneDeliveryAttempts,
  },
  {
    table: 'idempotency',
    key: 'retention_idempotency',
    days: (settings) => settings.idempotencyDays,
    prune: pruneAnswers,
  },
  {
    table: 'bank_hints',
    key: 'retention_bank_hints',
    days: (settings) => settings.bankHintDays,
    prune: pruneHints,
  },
];
