import type { Generated } from 'kysely';
import type { Id } from '../../kernel/ids.ts';

/**
 * The totals of a merchant's Lisbon day, written in the transaction of what they count. On PostgreSQL a day has several rows (shards),
 * so that concurrent transactions do not wait for each other. Amounts in cents.
 */
export interface DailyTotalTable {
  merchant_id: Id<'mer'>;
  /** `YYYY-MM-DD` in Lisbon. */
  day: string;
  /** Transactions created on the day. */
  created_count: number;
  created_cents: number;
  /** Transactions that ended on the day, whenever they were created. */
  ended_count: number;
  ended_cents: number;
  /** The shard of the day; always 0 on SQLite. */
  part: Generated<number>;
}

export interface DailyMethodTotalTable {
  merchant_id: Id<'mer'>;
  /** `YYYY-MM-DD` in Lisbon. */
  day: string;
  method: 'MBWAY' | 'REFERENCE';
  /** Attempts created on the day. */
  attempts_count: number;
  /** Transactions that became paid on the day of payment.success, not of the bank's record. */
  paid_count: number;
  paid_cents: number;
  part: Generated<number>;
}
