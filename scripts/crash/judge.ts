import { idFloor } from '../../src/kernel/ids.ts';
import type { CallLog } from './call-log.ts';
import type { Arrival } from './endpoint.ts';
import type { FinalState, Order, Row } from './final-state.ts';
import { judgeCheckout } from './judge-checkout.ts';
import { judgeMails } from './judge-mails.ts';
import { judgeRefunds } from './judge-refunds.ts';
import type { Mail } from './mailbox.ts';
import { moneyFaults } from './money.ts';

/** Four attempts, and one more for an attempt that a crash interrupted. */
const REQUESTS_PER_DELIVERY_MAX = 5;
/** The time limit for writing the result of an answered request. */
const RECORDED_MS = 1000;

/**
 * Compares the final state with what was acknowledged, what the bank received, and what endpoints and customers received.
 * Returns a sentence for each fault.
 */
export function judge(
  log: CallLog,
  state: FinalState,
  { arrivals, mails }: { arrivals: readonly Arrival[]; mails: readonly Mail[] },
): string[] {
  return [
    ...log.faults,
    ...lostCalls(log, state),
    ...moneyFaults(state.bank, state.receipts),
    ...judgeCheckout(log, state),
    ...judgeMails(log, state, mails),
    ...judgeRefunds(log, state),
    ...stateFaults(state),
    ...state.stuck.map((id) => `${id} is still not settled`),
    ...judgeWebhooks(state, arrivals),
  ];
}

function* lostCalls(log: CallLog, { orders }: FinalState): Iterable<string> {
  for (const [id, { orderId, amount }] of log.inits) {
    const transaction = orders.get(id)?.transaction;
    if (transaction?.order_id !== orderId || transaction.amount_cents !== Math.round(amount * 100))
      yield `${id} of ${orderId} was acknowledged and is not there as it was asked for`;
  }
  for (const { transactionId, phoneNumber } of log.pushes) {
    const attempts = orders.get(transactionId)?.attempts ?? [];
    if (attempts.filter((attempt) => attempt.phone_number === phoneNumber).length !== 1)
      yield `the push of ${transactionId} was acknowledged and is not there once`;
  }
  for (const { transactionId, entity, reference } of log.references) {
    const attempts = orders.get(transactionId)?.attempts ?? [];
    if (!attempts.some((attempt) => attempt.entity === entity && attempt.reference === reference))
      yield `reference ${reference} of ${transactionId} was acknowledged and is not there`;
  }
}

/** Checks that paid transactions have a full receipt and each state change and refund has one event. */
function* stateFaults({ orders }: FinalState): Iterable<string> {
  for (const { transaction, shop, receipts, events, refunds } of orders.values()) {
    const { id, status } = transaction;
    const full = receipts.some(({ amount_cents }) => amount_cents >= transaction.amount_cents);
    if ((status === 'paid') !== full) yield `${id} is ${status} with ${receipts.length} receipts`;
    const successes = events.filter(({ kind }) => kind === 'payment.success').length;
    if (successes !== (status === 'paid' ? 1 : 0))
      yield `${id} is ${status} with ${successes} events of success`;
    if (status !== 'pending' && events.length === 0) yield `${id} became ${status} without an event`;
    const once = events.filter(({ kind }) => kind !== 'payment.refunded');
    if (new Set(once.map(({ kind }) => kind)).size !== once.length)
      yield `${id} has one event twice: ${events.map(({ kind }) => kind).join(', ')}`;
    const refunded = events.length - once.length;
    const done = refunds.filter(({ state }) => state === 'done').length;
    // With several receipts, the refund of a second payment has no event.
    const least = shop?.hasExtras && receipts.length === 1 ? done : 0;
    if (refunded > done || refunded < least)
      yield `${id} has ${done} refunds and ${refunded} events of refunds`;
  }
}

function* judgeWebhooks(
  { orders, delivery_attempts }: FinalState,
  arrivals: readonly Arrival[],
): Iterable<string> {
  const byTransaction = Map.groupBy(arrivals, ({ transactionId }) => transactionId);
  const attempts = Map.groupBy(delivery_attempts, ({ delivery_id }) => delivery_id as string);
  for (const [id, order] of orders) {
    const seen = byTransaction.get(id) ?? [];
    const successes = new Set(seen.filter(isSuccess).map(({ eventId }) => eventId)).size;
    if (order.transaction.status === 'paid' && order.shop?.hasEndpoint && successes === 0)
      yield `${id} is paid and its endpoint received no event`;
    if (successes > 1) yield `${id} was announced as paid by ${successes} different events`;
    if (!inOrder(order, seen, attempts))
      yield `the events of ${id} arrived out of order: ${seen.map(({ event }) => event).join(', ')}`;
  }
  for (const { transactionId, eventId, event } of arrivals) {
    if (!orders.get(transactionId)?.events.some(({ id }) => id === eventId))
      yield `${event} of ${transactionId} was delivered, but there is no such event`;
  }
  for (const [id, { length }] of Map.groupBy(arrivals, ({ deliveryId }) => deliveryId))
    if (length > REQUESTS_PER_DELIVERY_MAX) yield `${id} was sent ${length} times`;
}

const isSuccess = ({ event }: Arrival) => event === 'payment.success';

/**
 * Returns whether all requests of an event arrived before the first request of the next, and no recovery of an event began after a later
 * event was delivered.
 */
function inOrder(
  { events, deliveries }: Order,
  seen: readonly Arrival[],
  attempts: ReadonlyMap<string, Row<'delivery_attempts'>[]>,
): boolean {
  const placeOf = (eventId: string) => events.findIndex(({ id }) => id === eventId);
  const recoveries = deliveries.filter(({ recovery_id }) => recovery_id !== null);
  const places = seen
    .filter(({ deliveryId }) => recoveries.every(({ id }) => id !== deliveryId))
    .map(({ eventId }) => placeOf(eventId));
  const endOf = (deliveryId: string) => {
    const { started_at = Number.NaN, duration_ms = 0 } = attempts.get(deliveryId)?.at(-1) ?? {};
    return started_at + (duration_ms ?? 0);
  };
  const isUnneeded = recoveries.some((recovery) =>
    deliveries.some(
      (later) =>
        later.state === 'delivered' &&
        placeOf(later.event_id) > placeOf(recovery.event_id) &&
        recovery.id >= idFloor('dlv', endOf(later.id) + RECORDED_MS),
    ),
  );
  return !isUnneeded && places.every((place, i) => i === 0 || place >= (places[i - 1] ?? 0));
}
