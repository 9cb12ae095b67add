import type { Generated } from 'kysely';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import type { METHODS, TRANSACTION_STATUSES } from '../../kernel/payment-enums.ts';
import type { Flag, Instant } from './columns.ts';

export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];
export type PaymentMethod = (typeof METHODS)[number];
/** The ways in which a created attempt ends without a payment. */
export const ENDINGS = ['rejected', 'declined', 'lapsed', 'expired'] as const;
export type Ending = (typeof ENDINGS)[number];
export const ATTEMPT_STATES = ['initiated', 'open', 'unknown', 'paid', ...ENDINGS, 'dead'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];
/** Why an attempt was not created: phone unknown to MB WAY, refused, no connection, no answer, a crash. */
export type DeadReason = 'phone-unknown' | 'refused' | 'unreachable' | 'no-answer' | 'interrupted';
/** A `DeadReason`; or, for an attempt that was paid late, how it had ended before. */
export type EndReason = DeadReason | Ending;

export interface TransactionTable {
  id: Id<'tx'>;
  merchant_id: Id<'mer'>;
  order_id: string;
  amount_cents: Cents;
  status: TransactionStatus;
  /** 1 while a full receipt awaits the operator's release. */
  held: Flag;
  /** The bank's time of payment; set with `paid`, or with the hold. */
  paid_at: Instant | null;
  /** The method that paid; set with `paid`, or with the hold. */
  paid_method: PaymentMethod | null;
  /** The attempt that paid; set with `paid`, or with the hold. */
  paid_attempt_id: Id<'att'> | null;
  /** The attempt that the status shows during a hold; null without a hold or attempt. */
  shown_attempt_id: Id<'att'> | null;
  store_domain: string;
  /** JSON, as validated at init. */
  customer: string | null;
  shipping_address: string | null;
  items: string | null;
  tracking: string | null;
  lead_id: Id<'led'> | null;
  created_at: Instant;
  /** When the transaction is checked for cancellation; null when it needs no check. */
  deadline_at: Instant | null;
  /** The number of events written so far, which is the sequence of the last one. */
  events_count: number;
  /** The checkout session that it belongs to. */
  session_id: Id<'cs'> | null;
  /** Until when it waits for a step, as long as its session; null for the time of the settings after its creation. */
  pending_until: Instant | null;
  /** 1 for the transaction of a session that was paid first; else null. */
  session_paid: number | null;
}

export interface AttemptTable {
  id: Id<'att'>;
  transaction_id: Id<'tx'>;
  merchant_id: Id<'mer'>;
  account_id: Id<'acc'>;
  method: PaymentMethod;
  state: AttemptState;
  amount_cents: Cents;
  /** The order id sent to the bank: 15 random characters, never repeated. */
  bank_order_id: string;
  /** The bank's id of the request, once known. */
  request_id: string | null;
  phone_number: string | null;
  entity: string | null;
  reference: string | null;
  /** The end of the push's window, or of the reference's last day. Null until the bank accepted the attempt. */
  expires_at: Instant | null;
  created_at: Instant;
  /** Whether the bank ever accepted it. */
  accepted: Flag;
  /** When the next check is due (inquiry, last read, recovery); null when none is. */
  check_at: Instant | null;
  /** Consecutive checks without a readable answer: the exponent of the back-off. */
  silent_count: number;
  /** The complete list reads after the window that did not contain this unknown push. */
  clear_reads: number;
  /** Start of the newest of those reads. */
  clear_read_at: Instant | null;
  /** When the acceptance was recorded; null when the bank never accepted, and in rows of older versions. */
  accepted_at: Instant | null;
  /** When it ended; null while live, and in rows of older versions. */
  ended_at: Instant | null;
  /** Why it is dead, or how it had ended before it was paid late; else null. */
  end_reason: EndReason | null;
}

export interface ReceiptTable extends ReceiptSettlementColumns {
  id: Id<'rcp'>;
  /** From the bank's record alone; unique, so that a payment recorded twice is one row and two payments are two. */
  identity: string;
  transaction_id: Id<'tx'> | null;
  attempt_id: Id<'att'> | null;
  merchant_id: Id<'mer'> | null;
  account_id: Id<'acc'>;
  method: PaymentMethod | null;
  amount_cents: Cents;
  /** The bank's time of payment, never later than `recorded_at`. */
  paid_at: Instant;
  recorded_at: Instant;
  late: Flag;
  duplicate: Flag;
  under: Flag;
  over: Flag;
  unmatched: Flag;
  request_id: string | null;
  bank_order_id: string | null;
  entity: string | null;
  reference: string | null;
  /** The bank's row as read, JSON. */
  record: string;
  /** The acquirer's fee; null while unknown. */
  fee_cents: Cents | null;
  /** The amount that the acquirer pays out; null while unknown. */
  net_cents: Cents | null;
  /** The day of the payout, `YYYY-MM-DD`; null while unknown. */
  value_date: string | null;
  /** The sum of its refunds that have not failed; the database refuses more than the amount. */
  refund_cents: Generated<Cents>;
}

/**
 * How an exception ended. `assigned`: an unmatched receipt was assigned to a transaction. `credited`: its amount counts for its
 * transaction, by the operator's credit or because it was kept. `returned`: the amount, or its excess, was returned outside the
 * service. `refunded`: a refund of it was requested and has not failed.
 */
export type ReceiptSettlement = 'assigned' | 'credited' | 'returned' | 'refunded';

/** How an exception was settled; null while it is open, and for receipts that are no exception. */
export interface ReceiptSettlementColumns {
  settled_at: Instant | null;
  settlement: ReceiptSettlement | null;
  /** The returned amount; null unless `returned`. */
  returned_cents: Cents | null;
}

/** `note` was written by hand; the others belong to an action. */
export type ReceiptNoteKind = 'note' | 'assigned' | 'credited' | 'kept' | 'returned';

/** The history of an exception. Never deleted, and changed only by an erasure and by the assignment of the receipt. */
export interface ReceiptNoteTable {
  id: Id<'rno'>;
  receipt_id: Id<'rcp'>;
  /** The merchant of the receipt; null while the receipt is unmatched. */
  merchant_id: Id<'mer'> | null;
  at: Instant;
  /** The author's name, as in the audit log. */
  actor: string;
  kind: ReceiptNoteKind;
  text: string;
  /** 1 when an operator wrote it; the merchant then sees the platform as its author. */
  by_operator: 0 | 1;
  /** 1 when only operators see it. */
  internal: 0 | 1;
}

/**
 * The totals of a merchant's Lisbon day, written in the same transaction as the changes that they count. On PostgreSQL a day has
 * several rows (shards), so that concurrent transactions do not wait for each other. Amounts in cents.
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
  method: PaymentMethod;
  /** Attempts created on the day that the bank accepted. */
  attempts_count: number;
  /** Transactions paid on the day, by the bank's time of payment. */
  paid_count: number;
  paid_cents: number;
  part: Generated<number>;
}
