import type { Insertable } from 'kysely';
import type {
  DeadReason,
  EventKind,
  PaymentMethod,
  ReceiptTable,
  TransactionTable,
} from '../../src/db/tables/tables.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { type Cents, cents } from '../../src/kernel/money.ts';
import type { AttemptRow } from '../../src/payments/attempt-store.ts';
import { shownAttempt } from '../../src/payments/status.ts';
import {
  type AttemptEnding,
  afterEnding,
  isLive,
  reasonKept,
  settleReceipt,
} from '../../src/payments/transaction.ts';

/** A change of state and what its event says. */
export interface Change {
  at: number;
  kind: EventKind;
  status: 'paid' | 'failed' | 'cancelled';
  method: PaymentMethod | null;
  paidAt: number | null;
}

export type TransactionRow = Required<Insertable<TransactionTable>>;
export type Receipt = Insertable<ReceiptTable>;

/** The service's settings. */
export interface Rules {
  pendingMs: number;
  mbwayWindowMs: number;
  mbwayGraceMs: number;
  multibancoGraceMs: number;
  inquiryMs: number;
}

/** Creates ids. */
export interface Makers {
  id<P extends 'att' | 'rcp'>(prefix: P, at: number): Id<P>;
  bankOrderId(): string;
  requestId(): string;
}

const KIND = { paid: 'payment.success', failed: 'payment.failed', cancelled: 'payment.cancelled' } as const;

/**
 * The rows of one transaction, created with the service's state machine, as the verbs would write them. Steps
 * must run in the order of time.
 */
export class History {
  readonly row: TransactionRow;
  readonly attempts: AttemptRow[] = [];
  readonly receipts: Receipt[] = [];
  readonly changes: Change[] = [];
  readonly rules: Rules;
  readonly #make: Makers;

  constructor(row: TransactionRow, rules: Rules, make: Makers) {
    this.row = row;
    this.rules = rules;
    this.#make = make;
  }

  begin(at: number, method: PaymentMethod, accountId: Id<'acc'>, phone: string | null): AttemptRow {
    const attempt: AttemptRow = {
      id: this.#make.id('att', at),
      transaction_id: this.row.id,
      merchant_id: this.row.merchant_id,
      account_id: accountId,
      method,
      state: 'initiated',
      amount_cents: this.row.amount_cents,
      bank_order_id: this.#make.bankOrderId(),
      request_id: null,
      phone_number: phone,
      entity: null,
      reference: null,
      expires_at: null,
      created_at: at,
      accepted: 0,
      check_at: null,
      silent_count: 0,
      clear_reads: 0,
      clear_read_at: null,
      accepted_at: null,
      ended_at: null,
      end_reason: null,
    };
    this.attempts.push(attempt);
    return attempt;
  }

  /** The bank accepts; for a reference with its payment data. */
  accept(
    attempt: AttemptRow,
    at: number,
    reference: { entity: string; reference: string; expiresAt: number } | null = null,
  ): void {
    attempt.state = 'open';
    attempt.accepted = 1;
    attempt.accepted_at = at;
    attempt.request_id = this.#make.requestId();
    attempt.expires_at = reference?.expiresAt ?? at + this.rules.mbwayWindowMs;
    attempt.entity = reference?.entity ?? null;
    attempt.reference = reference?.reference ?? null;
    attempt.check_at =
      reference === null ? at + this.rules.inquiryMs : reference.expiresAt + this.rules.multibancoGraceMs;
  }

  /** The outcome of the push is unknown. */
  lose(attempt: AttemptRow, at: number): void {
    attempt.state = 'unknown';
    attempt.expires_at = at + this.rules.mbwayWindowMs;
  }

  end(attempt: AttemptRow, at: number, ending: AttemptEnding, reason: DeadReason | null = null): void {
    if (!isLive(attempt.state)) return;
    attempt.state = ending;
    attempt.check_at = null;
    attempt.ended_at = at;
    attempt.end_reason = reason;
    const othersLive = this.attempts.some((other) => isLive(other.state));
    const next = afterEnding(this.#state(), ending, othersLive);
    if (next !== null) {
      const shown = shownAttempt({ ...this.row, status: next }, this.attempts);
      this.#move(at, next, shown?.method ?? null, null, null);
    }
  }

  /** Records a payment. */
  receive(attempt: AttemptRow, amount: number, paidAt: number, recordedAt: number, hold: boolean): Receipt {
    const received = cents(amount);
    const { flags, settlement } = settleReceipt(this.#state(), received, hold);
    const requestId = attempt.request_id ?? this.#make.requestId();
    const receipt = this.#receipt(attempt, requestId, received, paidAt, recordedAt);
    for (const flag of ['late', 'duplicate', 'under', 'over'] as const) receipt[flag] = flags[flag] ? 1 : 0;
    this.receipts.push(receipt);
    if (settlement === 'held') {
      this.row.shown_attempt_id = shownAttempt(this.row, this.attempts)?.id ?? null;
      this.row.held = 1;
      this.row.paid_at = paidAt;
      this.row.paid_method = attempt.method;
      this.row.paid_attempt_id = attempt.id;
    }
    attempt.request_id = requestId;
    attempt.accepted = 1;
    if (!(flags.under && attempt.method === 'REFERENCE')) {
      attempt.end_reason = reasonKept(attempt);
      attempt.state = 'paid';
      attempt.check_at = null;
      attempt.ended_at ??= recordedAt;
    }
    if (settlement === 'paid') this.#move(recordedAt, 'paid', attempt.method, paidAt, attempt);
    return receipt;
  }

  /** The operator releases a held payment. */
  release(at: number): void {
    const { paid_method: method, paid_at: paidAt, paid_attempt_id: id } = this.row;
    const attempt = this.attempts.find((candidate) => candidate.id === id) ?? null;
    this.#move(at, 'paid', method, paidAt, attempt);
  }

  /** The operator credits receipts that are each too small. */
  credit(at: number): void {
    const newest = this.receipts.toSorted((a, b) => a.paid_at - b.paid_at).at(-1);
    const attempt = this.attempts.find((candidate) => candidate.id === newest?.attempt_id) ?? null;
    if (newest === undefined || attempt === null) return;
    this.#move(at, 'paid', attempt.method, newest.paid_at, attempt);
    for (const receipt of this.receipts) {
      receipt.settlement = 'credited';
      receipt.settled_at = at;
    }
  }

  /** Cancels at the deadline when nothing is live. */
  abandon(at: number): void {
    if (this.row.status !== 'pending' || this.row.held === 1) return;
    if (this.attempts.some(({ state }) => isLive(state))) return;
    this.#move(at, 'cancelled', shownAttempt(this.row, this.attempts)?.method ?? null, null, null);
  }

  /** Sets the deadline and the number of events. */
  close(): void {
    const pending = this.row.status === 'pending' && this.row.held === 0;
    this.row.deadline_at = pending ? this.row.created_at + this.rules.pendingMs : null;
    this.row.events_count = this.changes.length;
  }

  #state() {
    const { status, held, amount_cents: amount } = this.row;
    return { status, held: held === 1, amount };
  }

  #move(
    at: number,
    status: Change['status'],
    method: PaymentMethod | null,
    paidAt: number | null,
    attempt: AttemptRow | null,
  ): void {
    this.row.status = status;
    this.row.held = 0;
    this.row.shown_attempt_id = null;
    if (status === 'paid') {
      this.row.paid_at = paidAt;
      this.row.paid_method = method;
      this.row.paid_attempt_id = attempt?.id ?? null;
    }
    this.changes.push({ at, kind: KIND[status], status, method, paidAt });
  }

  #receipt(
    attempt: AttemptRow,
    requestId: string,
    amount: Cents,
    paidAt: number,
    recordedAt: number,
  ): Receipt {
    const rank = this.receipts.filter((other) => other.request_id === requestId).length + 1;
    return {
      id: this.#make.id('rcp', recordedAt),
      identity:
        attempt.method === 'MBWAY'
          ? `mbway:${requestId}:${rank}`
          : `mb:${requestId}:${paidAt}:${amount}:${rank}`,
      transaction_id: this.row.id,
      attempt_id: attempt.id,
      merchant_id: this.row.merchant_id,
      account_id: attempt.account_id,
      method: attempt.method,
      amount_cents: amount,
      paid_at: paidAt,
      recorded_at: recordedAt,
      ...{ late: 0, duplicate: 0, under: 0, over: 0, unmatched: 0 },
      request_id: requestId,
      bank_order_id: attempt.bank_order_id,
      entity: attempt.entity,
      reference: attempt.reference,
      record: JSON.stringify({ source: 'demo', requestId }),
      ...{ settled_at: null, settlement: null, returned_cents: null },
    };
  }
}
