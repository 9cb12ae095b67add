import type { Generated } from 'kysely';
import type { Id } from '../../kernel/ids.ts';
import type { EVENT_KINDS } from '../../kernel/payment-enums.ts';
import type { Instant } from './columns.ts';

export type EventKind = (typeof EVENT_KINDS)[number];
/** The events that state the status of a transaction. */
export type StatusEventKind = Exclude<EventKind, 'payment.refunded'>;
export type DeliveryState = 'due' | 'delivered' | 'undelivered' | 'skipped';

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
   * 0: may be sent. 1: an earlier delivery of its transaction is unfinished. 2 and 3: the same for deliveries of a recovery; a 3
   * also waits for a later one that is being sent.
   */
  blocked: 0 | 1 | 2 | 3;
  attempts_count: number;
  /** The earliest time of a claim; a claim sets it to the end of its lease. Null when finished. */
  next_attempt_at: Instant | null;
  /**
   * The planned time of the attempt after a failed one; null before the first failure. With `created_at` it orders due
   * deliveries.
   */
  retry_at: Generated<Instant | null>;
  /** Identifies the claim: the process that sends the delivery until the end of its lease. */
  claim_token: string | null;
  created_at: Instant;
  finished_at: Instant | null;
  /** The recovery that created it; null for other deliveries. */
  recovery_id: Id<'rcv'> | null;
}

export interface DeliveryAttemptTable {
  delivery_id: Id<'dlv'>;
  /** The merchant of the delivery; null in rows of older versions. */
  merchant_id: Id<'mer'> | null;
  /** From 1; counted and inserted before the request is sent. */
  number: number;
  started_at: Instant;
  duration_ms: number | null;
  /** HTTP status of the response, if any. */
  status: number | null;
  /** The text that merchants see. */
  error: string | null;
  /** The operator's detail of the error. */
  error_detail: string | null;
  /** The first 4 kB of the response body. */
  response: string | null;
}

/** The last event number of a merchant; a separate table, so that payments never wait for its rows. */
export interface EventCounterTable {
  merchant_id: Id<'mer'>;
  last_sequence: number;
}

/** One recovery: the missed events of a merchant since an instant, queued again. Instants in UTC milliseconds. */
export interface RecoveryTable {
  id: Id<'rcv'>;
  merchant_id: Id<'mer'>;
  since_at: number;
  /** 1 when only the latest event of each transaction is sent. */
  latest: 0 | 1;
  /** 1 for a recovery of the automatic schedule. */
  automatic: 0 | 1;
  created_at: number;
  /** When all events were queued; null during the run or after an interruption. */
  queued_at: number | null;
}

/**
 * `idle`: no event is missed. `waiting` until `due_at`, then `probing` with the oldest missed event. `resting` after the
 * last wait. `releasing`: a delivery succeeded, and all missed events are queued.
 */
type AutoRecoveryPhase = 'idle' | 'waiting' | 'probing' | 'resting' | 'releasing';

/** The state of the automatic recovery of a merchant's endpoint. Instants in UTC milliseconds. */
export interface AutoRecoveryTable {
  merchant_id: Id<'mer'>;
  /** When automatic recovery was found switched on. */
  since_at: number;
  phase: AutoRecoveryPhase;
  /** When the oldest missed event was missed; null when idle. */
  missed_at: number | null;
  /** The index of the wait. */
  step: number;
  /** When the wait ends; null in other phases. */
  due_at: number | null;
  /** The delivery of the oldest missed event; null except while `probing`. */
  probe_id: Id<'dlv'> | null;
  /** The latest recovery that was begun; null before the first. */
  run_id: Id<'rcv'> | null;
  /** The end of the last missed delivery that automatic recovery has processed. */
  after_at: number;
  after_id: string;
}
