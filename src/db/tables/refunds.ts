import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import type { Instant } from './columns.ts';

export const REFUND_STATES = [
  'requested',
  'sent',
  'done',
  'failed',
  'accepted',
  'unknown',
  'awaiting_transfer',
] as const;

/**
 * `requested`: not sent yet. `sent`: the call to the bank is running. `accepted`: the bank makes the refund later. `unknown`: the
 * bank may have made it; it is never sent again. `awaiting_transfer`: a person makes it by bank transfer.
 */
export type RefundState = (typeof REFUND_STATES)[number];

/** The return of all or part of one receipt. */
export interface RefundTable {
  id: Id<'ref'>;
  receipt_id: Id<'rcp'>;
  /** The merchant of the receipt; null while the receipt is unmatched. */
  merchant_id: Id<'mer'> | null;
  /** The account that received the money. */
  account_id: Id<'acc'>;
  /** The bank's id of the refunded payment; null when the refund is a bank transfer. */
  request_id: string | null;
  amount_cents: Cents;
  state: RefundState;
  reason: string | null;
  /** Encrypted for `refunds.iban:<id>`. */
  iban: string | null;
  /** The account holder. */
  name: string | null;
  /** Why it failed or is unknown. */
  detail: string | null;
  /** The failed refund that this refund retries. */
  retry_of: Id<'ref'> | null;
  /** The bank's id of an accepted refund. */
  bank_refund_id: string | null;
  /** The process that sent it; null when other processes could not see that process. */
  instance_id: string | null;
  sent_at: Instant | null;
  /** When an accepted refund is checked next. */
  check_at: Instant | null;
  /**
   * The identity of the bank's notification of this refund, null before it; unique, so that one notification settles one refund.
   */
  notification: string | null;
  created_at: Instant;
  /** The time at which it became `done` or `failed`. */
  settled_at: Instant | null;
  /** When it was last written to a credit transfer file. */
  exported_at: Instant | null;
}

/** The journal of a refund. Never changed, never deleted. */
export interface RefundHistoryTable {
  refund_id: Id<'ref'>;
  /** The merchant of the refund. */
  merchant_id: Id<'mer'> | null;
  /** From 1. */
  number: number;
  at: Instant;
  state: RefundState;
  /** The author's name, as in the audit log. */
  actor: string;
  note: string | null;
}

/**
 * A refund that the bank reported and this service did not make, for example one made in the bank's back office. Never deleted.
 */
export interface ReportedRefundTable {
  id: Id<'rep'>;
  /** Equal for repetitions of the notification. */
  identity: string;
  account_id: Id<'acc'>;
  /** The refunded receipt; null when the bank's ids match none. */
  receipt_id: Id<'rcp'> | null;
  /** The merchant of that receipt; null without one. */
  merchant_id: Id<'mer'> | null;
  /** The bank's id of the refunded payment. */
  request_id: string | null;
  amount_cents: Cents | null;
  reported_at: Instant;
  /** When an operator recorded or dismissed it. */
  settled_at: Instant | null;
  /** The refund that an operator recorded for it. */
  refund_id: Id<'ref'> | null;
  /** Who settled it and why. */
  actor: string | null;
  note: string | null;
}
