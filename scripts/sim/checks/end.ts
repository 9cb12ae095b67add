import { errorText } from '../../../src/kernel/errors.ts';
import { readStatus } from '../../../src/payments/status.ts';
import { checkTotals } from '../../../test/support/recount.ts';
import { merchantOf } from '../calls.ts';
import type { Service } from '../service.ts';
import { isOfLink, type RefundView, refundsOf, sum } from '../snapshot.ts';
import type { World } from '../world.ts';
import { BOOKS_END_CHECKS } from './books.ts';
import { MAIL_END_CHECKS } from './mails.ts';
import { RECOVERY_END_CHECKS } from './recovery.ts';
import { SESSION_END_CHECKS } from './sessions.ts';

/** Invariants by name, checked at the end of the run with the last process of the service. */
export type EndChecks = Readonly<
  Record<string, (world: World, service: Service) => Iterable<string> | AsyncIterable<string>>
>;

export const END_CHECKS: EndChecks = {
  async *'a merchant reads the stored state'({ monitor }, service) {
    for (const row of monitor.state.transactions.values()) {
      const merchant = await merchantOf(service, row.merchant_id);
      const view = await readStatus(service.deps, merchant, { transactionId: row.id });
      const paid = row.status === 'paid' && row.paid_at !== null ? new Date(row.paid_at).toISOString() : null;
      const right =
        view.status === row.status &&
        view.paidAt === paid &&
        (row.status !== 'paid' || view.paymentMethod === row.paid_method) &&
        (view.mb === undefined || view.paymentMethod === 'REFERENCE');
      if (!right) yield `${row.id}: ${JSON.stringify(view)}`;
    }
  },

  ...SESSION_END_CHECKS,
  ...BOOKS_END_CHECKS,

  /** Compares per payment. An unknown refund that the bank made is in the books. */
  *'what came in less what went back is what the books say'(world) {
    const { state } = world.monitor;
    const { refunds } = world.bank;
    for (const { id, request_id } of state.reported_refunds.values())
      if (!refunds.isMadeElsewhere(request_id)) yield `${id} reports a refund that was not made elsewhere`;
    let recorded = 0;
    for (const { id, request_id, amount_cents } of state.receipts.values()) {
      const own = refundsOf(state, id).filter((row) => row.request_id !== null);
      const reports = [...state.reported_refunds.values()].filter((row) => row.request_id === request_id);
      if (reports.some((row) => row.settled_at === null)) yield `a reported refund of ${id} is open`;
      const dismissed = reports.filter((row) => row.refund_id === null);
      if (own.length + dismissed.length === 0) continue;
      const isMade = ({ id, state }: RefundView) =>
        state === 'done' || (state === 'unknown' && refunds.calls.get(id)?.state === 'made');
      const booked = [...own.filter(isMade), ...dismissed];
      const expected = sum(booked.map((row) => row.amount_cents ?? 0));
      const made = refunds.madeCents(request_id);
      recorded += made;
      if (made !== expected || made > amount_cents)
        yield `${id} of ${amount_cents}: ${made} went back, ${expected} are in the books`;
    }
    if (refunds.madeCents() !== recorded)
      yield `${refunds.madeCents()} cents went back, ${recorded} of receipts with refunds`;
  },

  *'the journal of a refund ends with its state'({ monitor }, { storage }) {
    const journal = storage.committed.prepare(
      'select state from refund_history where refund_id = ? order by number',
    );
    for (const { id, state } of monitor.state.refunds.values()) {
      const states = journal.pluck().all(id);
      if (states.at(-1) !== state) yield `${id} is ${state}, its journal says ${states.join(', ')}`;
    }
  },

  *'every event gets its number'({ monitor }) {
    for (const { id, sequence } of monitor.state.events.values()) if (sequence === null) yield id;
  },

  *'delivered means answered 2xx, undelivered four attempts'(world) {
    for (const { id, state, attempts_count } of world.monitor.state.deliveries.values()) {
      if (state === 'delivered' && !world.endpoints.answeredOk.has(id))
        yield `${id} never was answered 2xx in time`;
      if (state === 'undelivered' && attempts_count < 4)
        yield `${id} was given up after ${attempts_count} attempts`;
    }
  },

  *'what was answered is there'(world) {
    for (const { transactionId, orderId } of world.merchants.orders) {
      if (transactionId !== null && !world.monitor.state.transactions.has(transactionId))
        yield `${orderId} is lost`;
    }
  },

  *'an idempotency key makes one transaction'(world) {
    const { transactions, checkout_sessions: sessions } = world.monitor.state;
    const made = [...transactions.values()].filter(({ session_id }) => session_id === null).length;
    if (made > world.merchants.orders.length)
      yield `${world.merchants.orders.length} keys made ${made} transactions`;
    const asked = [...sessions.values()].filter(({ link_id }) => link_id === null).length;
    if (asked > world.shoppers.asked) yield `${world.shoppers.asked} keys made ${asked} sessions`;
  },

  *'the register counts what was paid'({ monitor: { state } }, { storage }) {
    const counted = storage.committed.prepare('select coalesce(sum(paid_cents), 0) from leads').pluck().get();
    const paid = [...state.transactions.values()].filter(
      (row) =>
        row.status === 'paid' && (row.session_id === null || row.session_paid === 1) && !isOfLink(state, row),
    );
    const due = sum(paid.map((row) => row.amount_cents));
    if (counted !== due) yield `the register counts ${counted} cents, ${due} were paid`;
  },

  async *'the daily totals count what there is'(_world, { deps }) {
    const fault = await checkTotals(deps.db.read).catch(errorText);
    if (fault !== undefined) yield fault;
  },

  *'an operator can settle every exception'(world) {
    for (const row of world.monitor.state.receipts.values()) {
      const flagged = row.late + row.duplicate + row.under + row.over + row.unmatched > 0;
      if (flagged && row.settlement === null) yield `${row.id} is open`;
    }
  },

  ...MAIL_END_CHECKS,
  ...RECOVERY_END_CHECKS,
};
