import type { Generated } from 'kysely';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import type { AuditTable } from './audit.ts';
import type { MembershipTable, SessionTable, UserLinkTable, UserTable } from './backoffice.ts';
import type { BankAccountTable, BankHintTable } from './banks.ts';
import type { EventCounterTable, RecoveryTable } from './events.ts';
import type { ReceiptNoteTable, ReceiptSettlementColumns } from './exceptions.ts';
import type { IdempotencyTable, PostCountTable } from './idempotency.ts';
import type { LeadErasureTable, LeadErasureWaitTable, LeadKeyColumns } from './leads.ts';
import type { DailyMethodTotalTable, DailyTotalTable } from './totals.ts';

/**
 * The tables, typed, with one shape for both engines: instants are UTC milliseconds, amounts are cents, booleans are 0 or 1, objects
 * are JSON text. States have the names of the contract.
 */
export type Flag = 0 | 1;
/** UTC milliseconds since 1970. */
export type Instant = number;

export type TransactionStatus = 'pending' | 'paid' | 'failed' | 'cancelled';
export type PaymentMethod = 'MBWAY' | 'REFERENCE';
export type AttemptState =
  | 'initiated'
  | 'open'
  | 'unknown'
  | 'paid'
  | 'rejected'
  | 'declined'
  | 'lapsed'
  | 'expired'
  | 'dead';
/** Why an attempt was not created: phone unknown to MB WAY, refused, no connection, no answer, a crash. */
export type DeadReason = 'phone-unknown' | 'refused' | 'unreachable' | 'no-answer' | 'interrupted';
/** The same; or, for an attempt that was paid late, how it had ended before. */
export type EndReason = DeadReason | 'rejected' | 'declined' | 'lapsed' | 'expired';
export type EventKind = 'payment.success' | 'payment.failed' | 'payment.cancelled' | 'webhook.test';
export type DeliveryState = 'due' | 'delivered' | 'undelivered' | 'skipped';

export interface MetaTable {
  key: string;
  value: string;
}

export interface MerchantTable {
  id: Id<'mer'>;
  name: string;
  active: Flag;
  hold: Flag;
  webhook_url: string | null;
  webhook_enabled: Flag;
  /** Encrypted for `merchants.webhook_secret:<id>`. */
  webhook_secret: string;
  /** The previous secret, encrypted for the same place; null without a rotation under way. */
  previous_webhook_secret: string | null;
  /** Until when the previous secret signs as well. */
  previous_secret_until: Instant | null;
  /** When the first transaction was paid; checkout data is optional afterwards. */
  first_paid_at: Instant | null;
  created_at: Instant;
}

export interface ApiKeyTable {
  id: Id<'key'>;
  merchant_id: Id<'mer'>;
  /** SHA-256 of the key, lower-case hex; the look-up key of a request. */
  hash: string;
  /** The key itself, encrypted for `api_keys.secret:<id>`. */
  secret: string;
  created_at: Instant;
  /** End of the grace period after a roll; null while the key is current. */
  expires_at: Instant | null;
  last_used_at: Instant | null;
}

export interface StoreDomainTable {
  merchant_id: Id<'mer'>;
  /** Normalised pattern: lower case, punycode, with an optional leading `*.`. */
  domain: string;
  created_at: Instant;
}

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
  /** Events written so far: the position of the next one in the transaction's order. */
  events_count: number;
}

export interface AttemptTable {
  id: Id<'att'>;
  transaction_id: Id<'tx'>;
  merchant_id: Id<'mer'>;
  account_id: Id<'acc'>;
  method: PaymentMethod;
  state: AttemptState;
  amount_cents: Cents;
  /** The order id given to the bank: 15 random characters, never repeated. */
  bank_order_id: string;
  /** The bank's id of the request, once known. */
  request_id: string | null;
  phone_number: string | null;
  entity: string | null;
  reference: string | null;
  /** End of the push's window, or of the reference's last day. Null until the bank accepted. */
  expires_at: Instant | null;
  created_at: Instant;
  /** Whether the bank ever accepted it. */
  accepted: Flag;
  /** When the next check is due (inquiry, last read, recovery); null when none is. */
  check_at: Instant | null;
  /** Consecutive checks without a readable answer: the exponent of the back-off. */
  silent_count: number;
  /** Complete reads of the bank's list, after its window, without an unknown push. */
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
}

export interface EventTable {
  id: Id<'evt'>;
  merchant_id: Id<'mer'>;
  /** Null for `webhook.test`. */
  transaction_id: Id<'tx'> | null;
  kind: EventKind;
  /** The exact bytes of every delivery, UTF-8. */
  body: string;
  created_at: Instant;
  /** Number among the merchant's events, from 1 without gaps; assigned by the dispatcher before the first send. */
  sequence: number | null;
  /** Order of commit among the events without a number. */
  position: Generated<number>;
}

export interface DeliveryTable {
  id: Id<'dlv'>;
  event_id: Id<'evt'>;
  merchant_id: Id<'mer'>;
  transaction_id: Id<'tx'> | null;
  kind: EventKind;
  state: DeliveryState;
  /** Sequence under the transaction's ordering key, from 1; null for test events and resends. */
  lane_position: number | null;
  /**
   * 0: may be sent. 1: an earlier delivery of its transaction is unfinished. 2 and 3: the same for deliveries of a recovery.
   */
  blocked: 0 | 1 | 2 | 3;
  attempts_count: number;
  next_attempt_at: Instant | null;
  /** The process that sends it, and until when no other process may. */
  claim_token: string | null;
  claimed_until: Instant | null;
  created_at: Instant;
  finished_at: Instant | null;
  /** The recovery that made it; null for all others. */
  recovery_id: Id<'rcv'> | null;
}

export interface DeliveryAttemptTable {
  delivery_id: Id<'dlv'>;
  /** From 1; counted, with its row, before the request leaves. */
  number: number;
  started_at: Instant;
  duration_ms: number | null;
  /** HTTP status of the response, if any. */
  status: number | null;
  /** The text that merchants read. */
  error: string | null;
  /** The operator's detail of the error. */
  error_detail: string | null;
  /** The first 4 kB of the response body. */
  response: string | null;
}

export interface LeadTable extends LeadKeyColumns {
  id: Id<'led'>;
  merchant_id: Id<'mer'>;
  /** `email:` or `phone:` and the normalised value. */
  identity: string;
  email: string | null;
  phone: string | null;
  name: string | null;
  first_seen_at: Instant;
  last_seen_at: Instant;
  orders_count: number;
  asked_cents: number;
  paid_count: number;
  paid_cents: number;
  /** JSON of the newest init that carried them. */
  items: string | null;
  tracking: string | null;
}

export interface Tables {
  meta: MetaTable;
  merchants: MerchantTable;
  api_keys: ApiKeyTable;
  store_domains: StoreDomainTable;
  bank_accounts: BankAccountTable;
  transactions: TransactionTable;
  attempts: AttemptTable;
  receipts: ReceiptTable;
  bank_hints: BankHintTable;
  events: EventTable;
  event_counters: EventCounterTable;
  recoveries: RecoveryTable;
  deliveries: DeliveryTable;
  delivery_attempts: DeliveryAttemptTable;
  leads: LeadTable;
  lead_erasures: LeadErasureTable;
  lead_erasure_waits: LeadErasureWaitTable;
  idempotency: IdempotencyTable;
  daily_totals: DailyTotalTable;
  daily_method_totals: DailyMethodTotalTable;
  receipt_notes: ReceiptNoteTable;
  users: UserTable;
  memberships: MembershipTable;
  sessions: SessionTable;
  user_links: UserLinkTable;
  audit_log: AuditTable;
  post_counts: PostCountTable;
}
