import type { Insertable } from 'kysely';
import type { Settings } from '../../src/config.ts';
import type {
  DeadReason,
  PaymentMethod,
  ReceiptTable,
  TransactionTable,
} from '../../src/db/tables/payments.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import type { AttemptRow } from '../../src/payments/attempt-store.ts';
import { shownAttempt } from '../../src/payments/status.ts';
import {
  type AttemptEnding,
  afterEnding,
  isAbandoned,
  isLive,
  reasonKept,
  settleReceipt,
} from '../../src/payments/transaction.ts';
import type { Prng } from '../sim/prng.ts';
import { idAt, token } from './ids.ts';

type TransactionRow = Required<Insertable<TransactionTable>>;
export type ReceiptRow = Insertable<ReceiptTable>;

/** A change of the transaction's status and the content of its event. */
export interface Change {
  at: number;
  status: 'paid' | 'failed' | 'cancelled';
  method: PaymentMethod | null;
  paidAt: number | null;
}

/** Payment data of a reference. */
interface Reference {
  entity: string;
  reference: string;
  expiresAt: number;
}

/** The rows of one transaction, computed with the service's state machine. Call its methods in chronological order. */
export class History {
  readonly row: TransactionRow;
  readonly attempts: AttemptRow[] = [];
  readonly receipts: ReceiptRow[] = [];
  readonly changes: Change[] = [];
  /** When the operator released the held payment. */
  releasedAt: number | null = null;
  readonly rules: Settings;
  readonly #prng: Prng;

  constructor(row: TransactionRow, rules: Settings, prng: Prng) {
    this.row = row;
    this.rules = rules;
    this.#prng = prng;
  }

  /** Whether the transaction's deadline still has to be checked. */
  get isWaiting(): boolean {
    return this.row.status === 'pending' && this.row.held === 0;
  }

  /** Records that the bank accepted the attempt; a reference has payment data. */
  accept(attempt: AttemptRow, at: number, reference: Reference | null): void {
    attempt.state = 'open';
    attempt.accepted = 1;
    attempt.accepted_at = at;
    attempt.request_id = token(this.#prng, 20);
    attempt.expires_at = reference?.expiresAt ?? at + this.rules.mbwayWindowMs;
    attempt.entity = reference?.entity ?? null;
    attempt.reference = reference?.reference ?? null;
    attempt.check_at =
      reference === null ? at + this.rules.inquiryMs : reference.expiresAt + this.rules.multibancoGraceMs;
  }

  /** Ends the attempt without a payment, unless it was paid before. */
  end(attempt: AttemptRow, at: number, ending: AttemptEnding, reason: DeadReason | null = null): void {
    if (!isLive(attempt.state)) return;
    Object.assign(attempt, { state: ending, check_at: null, ended_at: at, end_reason: reason });
    const next = afterEnding(this.row, ending, this.#anyLive());
    if (next !== null) this.#close(at, next);
  }

  /** Records a payment. */
  receive(attempt: AttemptRow, amount: number, paidAt: number, at: number, hold: boolean): void {
    const { flags, settlement } = settleReceipt(this.row, cents(amount), hold);
    const receipt = receiptRow(this.#prng, attempt, { amount, paidAt, recordedAt: at });
    for (const flag of ['late', 'duplicate', 'under', 'over'] as const) receipt[flag] = flags[flag] ? 1 : 0;
    this.receipts.push(receipt);
    if (settlement !== 'none') {
      this.row.shown_attempt_id = shownAttempt(this.row, this.attempts)?.id ?? null;
      Object.assign(this.row, { held: 1, paid_at: paidAt, paid_method: attempt.method });
      this.row.paid_attempt_id = attempt.id;
    }
    if (!flags.under) {
      attempt.end_reason = reasonKept(attempt);
      Object.assign(attempt, { state: 'paid', check_at: null, ended_at: attempt.ended_at ?? at });
    }
    if (settlement === 'paid') this.#pay(at);
  }

  /** Records the operator's release of a held payment. */
  release(at: number): void {
    if (this.row.held === 0) return;
    this.releasedAt = at;
    this.#pay(at);
  }

  /** Cancels at the deadline when no attempt is live. */
  abandon(at: number): void {
    if (isAbandoned(this.row, true, this.#anyLive())) this.#close(at, 'cancelled');
  }

  #anyLive(): boolean {
    return this.attempts.some(({ state }) => isLive(state));
  }

  #close(at: number, status: 'failed' | 'cancelled'): void {
    const method = shownAttempt({ ...this.row, status }, this.attempts)?.method ?? null;
    this.row.status = status;
    this.changes.push({ at, status, method, paidAt: null });
  }

  #pay(at: number): void {
    Object.assign(this.row, { status: 'paid', held: 0, shown_attempt_id: null });
    this.changes.push({ at, status: 'paid', method: this.row.paid_method, paidAt: this.row.paid_at });
  }
}

/** Returns an attempt that the bank has not answered yet. */
export function newAttempt(
  prng: Prng,
  row: TransactionRow,
  accountId: Id<'acc'>,
  attempt: { at: number; method: PaymentMethod; phone: string | null },
): AttemptRow {
  return {
    id: idAt(prng, 'att', attempt.at),
    transaction_id: row.id,
    merchant_id: row.merchant_id,
    account_id: accountId,
    method: attempt.method,
    state: 'initiated',
    amount_cents: row.amount_cents,
    bank_order_id: token(prng, 15),
    phone_number: attempt.phone,
    created_at: attempt.at,
    request_id: null,
    entity: null,
    reference: null,
    expires_at: null,
    accepted: 0,
    check_at: null,
    silent_count: 0,
    clear_reads: 0,
    clear_read_at: null,
    accepted_at: null,
    ended_at: null,
    end_reason: null,
  };
}

/** Returns a receipt without flags for a payment of the attempt, or of an object with the same bank data. */
export function receiptRow(
  prng: Prng,
  of: Pick<AttemptRow, 'account_id' | 'method' | 'request_id' | 'entity' | 'reference'> & Partial<AttemptRow>,
  payment: { amount: number; paidAt: number; recordedAt: number },
): ReceiptRow {
  return {
    id: idAt(prng, 'rcp', payment.recordedAt),
    identity: `demo:${of.request_id}`,
    transaction_id: of.transaction_id ?? null,
    attempt_id: of.id ?? null,
    merchant_id: of.merchant_id ?? null,
    account_id: of.account_id,
    method: of.method,
    amount_cents: cents(payment.amount),
    paid_at: payment.paidAt,
    recorded_at: payment.recordedAt,
    late: 0,
    duplicate: 0,
    under: 0,
    over: 0,
    unmatched: 0,
    request_id: of.request_id,
    bank_order_id: of.bank_order_id ?? null,
    entity: of.entity,
    reference: of.reference,
    record: JSON.stringify({ source: 'demo', requestId: of.request_id }),
    fee_cents: null,
    net_cents: null,
    value_date: null,
  };
}
