import { expect } from 'vitest';
import type { AttemptRow } from '../../../src/payments/attempt-store.ts';
import { readStatus } from '../../../src/payments/status.ts';
import type { ReceiptRow, TransactionRow } from '../../../src/payments/store.ts';
import { checkTotals } from '../../support/recount.ts';
import type { SimBank } from './bank.ts';
import { Books, checkReceipts, isSettledElsewhere } from './books.ts';
import { checkOutbox, checkTransaction, isOver, LIVE, load, type Rows, sum } from './rows.ts';
import { SETTINGS, type World } from './world.ts';

const LOOK_MS = { initiated: 60_000, open: 200 };
const { mbwayWindowMs, mbwayGraceMs, multibancoGraceMs, pendingMs, reconcileMs } = SETTINGS;

/** What the model, told of nothing but receipts and events in their order, holds of one transaction. */
interface ModelTransaction {
  status: 'pending' | 'paid' | 'failed' | 'cancelled';
  held: boolean;
  paidBy: ReceiptRow | null;
  events: number;
  /** The merchant's view when the hold began. */
  frozen: string | null;
  view: string;
  viewedAt: number;
  /** Receipts and events so far. */
  writes: number;
  viewedWrites: number;
}

/** Checks every promise after every step, against the bank's own memory and a replay of receipts and events. */
export class Checker {
  readonly bank: SimBank;
  readonly #transactions = new Map<string, ModelTransaction>();
  readonly #seen = new Set<string>();
  readonly #overdueSince = new Map<string, number>();
  #listsSeen = 0;
  readonly holds = new Map<string, boolean>();
  /** Transactions that the operator released in this step. */
  readonly released = new Set<string>();
  /** Transactions that the operator credited in this step, with the receipt that completed them. */
  readonly credited = new Map<string, ReceiptRow>();
  /** Receipts that the operator assigned, with the transaction. */
  readonly given = new Map<string, string>();
  readonly #books = new Books();
  counts = {
    receipts: 0,
    paid: 0,
    failed: 0,
    cancelled: 0,
    late: 0,
    duplicate: 0,
    under: 0,
    over: 0,
    held: 0,
    unmatched: 0,
    ...{ assigned: 0, credited: 0, returned: 0, kept: 0 },
  };

  constructor(bank: SimBank) {
    this.bank = bank;
  }

  async check(world: World): Promise<void> {
    const rows = await load(world.deps.db.read);
    const now = world.deps.clock.now();
    checkReceipts(rows, this.bank, this.given);
    this.#books.check(rows, this.counts);
    this.#checkReported(rows);
    for (const transaction of rows.transactions) {
      const attempts = rows.attempts.filter((attempt) => attempt.transaction_id === transaction.id);
      this.#replay(transaction, rows);
      checkTransaction(transaction, attempts);
      this.#checkDeadline(transaction, attempts, now);
      await this.#checkView(world, transaction, attempts);
      this.#checkPushes(attempts);
    }
    for (const attempt of rows.attempts) this.#checkAttempt(attempt, rows, now);
    checkOutbox(rows);
    const paid = rows.transactions.filter(({ status }) => status === 'paid');
    expect(sum(rows.leads.map((lead) => lead.paid_cents))).toBe(sum(paid.map((row) => row.amount_cents)));
    await checkTotals(world.deps.db.read);
    this.released.clear();
    this.credited.clear();
  }

  /** What the bank told in a readable answer is recorded, all of it. */
  #checkReported({ receipts }: Rows): void {
    const known = new Set(receipts.map((receipt) => receipt.identity));
    const lists = this.bank.lists.slice(this.#listsSeen);
    this.#listsSeen = this.bank.lists.length;
    for (const { rows } of lists) for (const row of rows) expect(known).toContain(row.identity);
    for (const { value, deliveredAt } of this.bank.inquiries) {
      if (value.kind === 'paid' && deliveredAt !== null) expect(known).toContain(value.identity);
    }
  }

  /** Receipts and events in the order of their writing, each checked against the state that the ones before it made. */
  #replay(transaction: TransactionRow, { receipts, events, notes }: Rows): void {
    const model = this.#transactions.get(transaction.id) ?? {
      ...{
        status: 'pending',
        held: false,
        paidBy: null,
        events: 0,
        frozen: null,
        view: '',
        viewedAt: -1,
        writes: 0,
        viewedWrites: 0,
      },
    };
    this.#transactions.set(transaction.id, model as ModelTransaction);
    // A receipt that was assigned came to the transaction then, not when it came to the books.
    const place = (id: string) =>
      (notes.find((note) => note.receipt_id === id && note.kind === 'assigned')?.id ?? id).slice(4);
    const items = [...receipts, ...events]
      .filter((item) => item.transaction_id === transaction.id && !this.#seen.has(item.id))
      .sort((a, b) => (place(a.id) < place(b.id) ? -1 : 1));
    const credited = this.credited.get(transaction.id);
    if (credited !== undefined) (model as ModelTransaction).paidBy = credited;
    let announces = this.released.has(transaction.id) || credited !== undefined;
    for (const item of items) {
      this.#seen.add(item.id);
      (model as ModelTransaction).writes += 1;
      if ('kind' in item) {
        announces = this.#event(model as ModelTransaction, item.kind, announces);
        continue;
      }
      expect(announces).toBe(false);
      announces = this.#receipt(model as ModelTransaction, item, transaction);
    }
    expect(announces).toBe(false);
    expect(transaction).toMatchObject({
      status: model.status,
      held: model.held ? 1 : 0,
      events_count: model.events,
      paid_at: model.paidBy?.paid_at ?? null,
      paid_attempt_id: model.paidBy?.attempt_id ?? null,
    });
  }

  #event(model: ModelTransaction, kind: string, announces: boolean): boolean {
    model.events += 1;
    if (kind === 'payment.success') {
      expect(announces).toBe(true);
      Object.assign(model, { status: 'paid', held: false });
      this.counts.paid += 1;
      return false;
    }
    expect([model.status, model.held, announces]).toEqual(['pending', false, false]);
    model.status = kind === 'payment.failed' ? 'failed' : 'cancelled';
    this.counts[model.status] += 1;
    return announces;
  }

  /** True when the receipt must be followed at once by payment.success. */
  #receipt(model: ModelTransaction, receipt: ReceiptRow, due: TransactionRow): boolean {
    const settled = model.status === 'paid' || model.held;
    const flags = {
      duplicate: settled,
      late: !settled && model.status !== 'pending',
      under: !settled && receipt.amount_cents < due.amount_cents,
      over: !settled && receipt.amount_cents > due.amount_cents,
    };
    this.counts.receipts += 1;
    for (const flag of ['duplicate', 'late', 'under', 'over'] as const) {
      expect([flag, receipt[flag]]).toEqual([flag, flags[flag] ? 1 : 0]);
      if (flags[flag]) this.counts[flag] += 1;
    }
    if (settled || flags.under) return false;
    model.paidBy = receipt;
    if (this.holds.get(due.merchant_id) !== true) return true;
    model.held = true;
    this.counts.held += 1;
    return false;
  }

  /** Abandoned for a second and a sweep of the deadlines: cancelled by now. */
  #checkDeadline(transaction: TransactionRow, attempts: AttemptRow[], now: number): void {
    const overdue =
      transaction.status === 'pending' &&
      transaction.held === 0 &&
      now >= transaction.created_at + pendingMs &&
      !attempts.some(({ state }) => LIVE.includes(state));
    const since = overdue ? (this.#overdueSince.get(transaction.id) ?? now) : now;
    expect(now - since).toBeLessThan(1000);
    if (overdue) this.#overdueSince.set(transaction.id, since);
    else this.#overdueSince.delete(transaction.id);
  }

  async #checkView(world: World, transaction: TransactionRow, attempts: AttemptRow[]): Promise<void> {
    const model = this.#transactions.get(transaction.id);
    if (model === undefined) throw new Error('no model');
    const merchant = { id: transaction.merchant_id, name: '', active: true, hold: false, firstPaidAt: null };
    const view = await readStatus(world.deps, merchant, { transactionId: transaction.id });
    const now = world.deps.clock.now();
    const text = JSON.stringify([view.status, view.paymentMethod, view.mb?.reference ?? null, view.paidAt]);
    if (transaction.held === 1) {
      // What else the step brought, be it time, an event or other money, may have changed the view before.
      const alone = now === model.viewedAt && model.writes === model.viewedWrites + 1;
      model.frozen ??= alone ? model.view : text;
      // A reference that was on its way when the money came may still appear.
      if (!model.frozen.includes('REFERENCE",null')) expect(text).toBe(model.frozen);
      return;
    }
    if (transaction.status === 'paid' && transaction.paid_attempt_id === null) {
      expect([view.paymentMethod, view.mb]).toEqual([transaction.paid_method, undefined]);
      return;
    }
    const shown =
      transaction.status === 'paid'
        ? attempts.find(({ id }) => id === transaction.paid_attempt_id)
        : (attempts.findLast(({ state }) => LIVE.includes(state)) ??
          attempts.findLast(({ accepted }) => accepted === 1));
    expect(view.paymentMethod).toBe(shown?.method ?? null);
    expect(view.mb?.reference).toBe(
      shown?.method === 'REFERENCE' ? (shown.reference ?? undefined) : undefined,
    );
    expect(view.paidAt === null).toBe(transaction.status !== 'paid');
    Object.assign(model, { view: text, viewedAt: now, viewedWrites: model.writes, frozen: null });
  }

  /** A second push never leaves while the customer could still accept the first. */
  #checkPushes(attempts: AttemptRow[]): void {
    const orders = new Set(attempts.map((attempt) => attempt.bank_order_id));
    const pushes = this.bank.pushes.filter((push) => orders.has(push.orderId));
    pushes.forEach((first, i) => {
      for (const second of pushes.slice(i + 1)) expect(isOver(first, second.createdAt)).toBe(true);
    });
  }

  #checkAttempt(attempt: AttemptRow, { receipts }: Rows, now: number): void {
    const own = receipts.filter((receipt) => receipt.attempt_id === attempt.id);
    const hangs = this.bank.inquiries.some(
      ({ requestId, deliveredAt }) => requestId === attempt.request_id && deliveredAt === null,
    );
    switch (attempt.state) {
      case 'paid':
        if (own.length === 0) expect(isSettledElsewhere(attempt, receipts, this.bank)).toBe(true);
        return;
      case 'initiated':
      case 'open':
        expect(attempt.check_at).not.toBeNull();
        // Time may jump while the desk waits for its next look: its idle one for a create, its short one for the rest.
        if (!hangs) expect((attempt.check_at ?? 0) + LOOK_MS[attempt.state]).toBeGreaterThan(now);
        break;
      case 'dead':
        // A push that the bank took is never given up.
        if (attempt.method === 'MBWAY') {
          expect(this.bank.pushes.some((push) => push.orderId === attempt.bank_order_id)).toBe(false);
        }
        break;
      case 'rejected':
      case 'declined':
        expect(this.bank.pushes.find((push) => push.orderId === attempt.bank_order_id)?.state).toBe(
          attempt.state,
        );
        break;
      case 'lapsed':
        expect(this.#lapsedRightly(attempt)).toBe(true);
        break;
      case 'expired':
        expect(
          this.bank.lists.some(
            ({ filter, at, clear }) =>
              (filter.bankOrderId === attempt.bank_order_id || filter.requestId === attempt.request_id) &&
              clear &&
              at >= (attempt.expires_at ?? 0) + multibancoGraceMs,
          ),
        ).toBe(true);
    }
    if (attempt.method === 'MBWAY') expect(own).toEqual([]);
  }

  /** A readable answer of the bank, asked for after window and grace; or two clear reads of its list. */
  #lapsedRightly(attempt: AttemptRow): boolean {
    const end = (attempt.expires_at ?? 0) + mbwayGraceMs;
    if (end < attempt.created_at + mbwayWindowMs + mbwayGraceMs) return false;
    const asked = this.bank.inquiries.some(
      ({ requestId, at, value, deliveredAt }) =>
        requestId === attempt.request_id && at >= end && value.kind === 'waiting' && deliveredAt !== null,
    );
    const reads = this.bank.lists.filter(
      ({ at, filter, clear }) => clear && at >= end && filter.from !== undefined,
    );
    const [first, last] = [reads[0]?.at ?? 0, reads.at(-1)?.at ?? 0];
    return asked || (reads.length >= 2 && last - first >= reconcileMs);
  }
}
