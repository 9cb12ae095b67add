import { idFloor } from '../../src/kernel/ids.ts';
import type { CallLog } from './call-log.ts';
import type { Arrival } from './endpoint.ts';
import type { FinalState, Shown } from './final-state.ts';
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
    ...moneyFaults(state),
    ...judgeCheckout(log, state),
    ...judgeMails(log, state, mails),
    ...judgeRefunds(log, state),
    ...stateFaults(state),
    ...state.stuck.map((id) => `${id} is still not settled`),
    ...judgeWebhooks(state, arrivals),
  ];
}

function lostCalls(log: CallLog, { shown }: FinalState): string[] {
  const faults: string[] = [];
  for (const [id, { orderId, amount }] of log.inits) {
    const transaction = shown.get(id)?.transaction;
    if (transaction?.externalOrderId !== orderId || transaction.amount !== amount)
      faults.push(`${id} of ${orderId} was acknowledged and is not there as it was asked for`);
  }
  for (const { transactionId, phoneNumber } of log.pushes) {
    const attempts = shown.get(transactionId)?.attempts ?? [];
    if (attempts.filter((attempt) => attempt.phoneNumber === phoneNumber).length !== 1)
      faults.push(`the push of ${transactionId} was acknowledged and is not there once`);
  }
  for (const { transactionId, entity, reference } of log.references) {
    const attempts = shown.get(transactionId)?.attempts ?? [];
    if (!attempts.some((attempt) => attempt.entity === entity && attempt.reference === reference))
      faults.push(`reference ${reference} of ${transactionId} was acknowledged and is not there`);
  }
  return faults;
}

/** Checks that paid transactions have a full receipt and each state change and refund has one event. */
function stateFaults({ shown, orders, shopOf }: FinalState): string[] {
  return orders.flatMap((order) => {
    const { id } = order;
    const found = shown.get(id);
    if (found === undefined) return [`${id} is not shown`];
    const { transaction, receipts, events, refunds } = found;
    const faults: string[] = [];
    const full = receipts.some(({ amount }) => amount >= transaction.amount);
    if ((transaction.status === 'paid') !== full)
      faults.push(`${id} is ${transaction.status} with ${receipts.length} receipts`);
    const successes = events.filter(({ event }) => event === 'payment.success').length;
    if (successes !== (transaction.status === 'paid' ? 1 : 0))
      faults.push(`${id} is ${transaction.status} with ${successes} events of success`);
    if (transaction.status !== 'pending' && events.length === 0)
      faults.push(`${id} became ${transaction.status} without an event`);
    const once = events.filter(({ event }) => event !== 'payment.refunded');
    if (new Set(once.map(({ event }) => event)).size !== once.length)
      faults.push(`${id} has one event twice: ${events.map(({ event }) => event).join(', ')}`);
    const refunded = events.length - once.length;
    const done = refunds.filter(({ state }) => state === 'done').length;
    // With several receipts, the refund of a second payment has no event.
    const least = shopOf(order)?.hasExtras && receipts.length === 1 ? done : 0;
    if (refunded > done || refunded < least)
      faults.push(`${id} has ${done} refunds and ${refunded} events of refunds`);
    return faults;
  });
}

function judgeWebhooks({ shown, orders, shopOf }: FinalState, arrivals: readonly Arrival[]): string[] {
  const faults: string[] = [];
  const byTransaction = Map.groupBy(arrivals, ({ transactionId }) => transactionId);
  for (const order of orders) {
    const { id } = order;
    const transaction = shown.get(id);
    if (transaction === undefined) continue;
    const seen = byTransaction.get(id) ?? [];
    const successes = new Set(seen.filter(isSuccess).map(({ eventId }) => eventId)).size;
    const hasEndpoint = shopOf(order)?.hasEndpoint ?? false;
    if (transaction.transaction.status === 'paid' && hasEndpoint && successes === 0)
      faults.push(`${id} is paid and its endpoint received no event`);
    if (successes > 1) faults.push(`${id} was announced as paid by ${successes} different events`);
    if (!inOrder(transaction, seen))
      faults.push(`the events of ${id} arrived out of order: ${seen.map(({ event }) => event).join(', ')}`);
  }
  for (const { transactionId, eventId, event } of arrivals) {
    if (!shown.get(transactionId)?.events.some(({ id }) => id === eventId))
      faults.push(`${event} of ${transactionId} was delivered, but there is no such event`);
  }
  for (const [id, { length }] of Map.groupBy(arrivals, ({ deliveryId }) => deliveryId))
    if (length > REQUESTS_PER_DELIVERY_MAX) faults.push(`${id} was sent ${length} times`);
  return faults;
}

const isSuccess = ({ event }: Arrival) => event === 'payment.success';

/**
 * Returns whether all requests of an event arrived before the first request of the next, and no recovery of an event began after a later
 * event was delivered.
 */
function inOrder({ events, deliveries }: Shown, seen: readonly Arrival[]): boolean {
  const placeOf = (eventId: string) => events.findIndex(({ id }) => id === eventId);
  const recoveries = deliveries.filter(({ recovery }) => recovery);
  const places = seen
    .filter(({ deliveryId }) => recoveries.every((recovery) => recovery.deliveryId !== deliveryId))
    .map(({ eventId }) => placeOf(eventId));
  const isUnneeded = recoveries.some((recovery) =>
    deliveries.some(
      (later) =>
        later.state === 'delivered' &&
        placeOf(later.eventId) > placeOf(recovery.eventId) &&
        recovery.deliveryId >= idFloor('dlv', endOf(later) + RECORDED_MS),
    ),
  );
  return !isUnneeded && places.every((place, i) => i === 0 || place >= (places[i - 1] ?? 0));
}

function endOf({ attempts }: Shown['deliveries'][number]): number {
  const { startedAt = '', durationMs = 0 } = attempts.at(-1) ?? {};
  return Date.parse(startedAt) + (durationMs ?? 0);
}
