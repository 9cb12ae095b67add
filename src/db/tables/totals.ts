import type { Generated } from 'kysely';
import type { Id } from '../../kernel/ids.ts';

/**
 * What a merchant's Lisbon day came to. Both tables are written in the transaction of what they count, so that they
 * always say what a recount would. A day may have several rows, whose numbers are its parts: what runs side by side adds
 * to different ones and does not queue. Amounts in cents.
 */
export interface DailyTotalTable {
  merchant_id: Id<'mer'>;
  /** `YYYY-MM-DD` in Lisbon. */
  day: string;
  /** Transactions created on the day. */
  created_count: number;
  created_cents: number;
  /** Transactions that stopped being pending on the day, whenever they were created. */
  ended_count: number;
  ended_cents: number;
  /** Which part of the day; 0 where one unit runs at a time. */
  part: Generated<number>;
}

export interface DailyMethodTotalTable {
  merchant_id: Id<'mer'>;
  /** `YYYY-MM-DD` in Lisbon. */
  day: string;
  method: 'MBWAY' | 'REFERENCE';
  /** Pushes or references begun on the day. */
  attempts_count: number;
  /** Transactions that became paid on the day: the day of payment.success, not of the bank's record. */
  paid_count: number;
  paid_cents: number;
  part: Generated<number>;
}
