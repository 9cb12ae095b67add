import type { CallLog } from './call-log.ts';
import type { Arrival } from './endpoint.ts';
import type { FinalState, Shown } from './final-state.ts';
import { compareMoney } from './money.ts';

/** Four attempts, and one more for an attempt interrupted by a crash. */
const REQUESTS_PER_DELIVERY_MAX = 5;

/** The result of a run; each fault is a sentence. */
export interface Verdict {
  faults: string[];
  /** Acknowledged calls that are missing or differ. */
  lost: number;
  /** Euros of the bank without a receipt, and receipts without such euros. */
  missingReceipts: number;
  inventedReceipts: number;
  outOfOrder: number;
  repeatedSuccesses: number;
  requestsPerDeliveryMax: number;
}

/** Compares the final state with what was acknowledged, what the bank received and what the endpoint received. */
export function judge(log: CallLog, state: FinalState, arrivals: readonly Arrival[]): Verdict {
  const lost = lostCalls(log, state);
  const money = compareMoney(state);
  const webhooks = judgeWebhooks(log, state, arrivals);
  return {
    faults: [
      ...log.faults,
      ...lost,
      ...money.faults,
      ...stateFaults(state),
      ...state.stuck.map((id) => `${id} is still not settled`),
      ...webhooks.faults,
    ],
    lost: lost.length,
    missingReceipts: money.missing,
    inventedReceipts: money.invented,
    outOfOrder: webhooks.outOfOrder,
    repeatedSuccesses: webhooks.repeatedSuccesses,
    requestsPerDeliveryMax: webhooks.requestsPerDeliveryMax,
  };
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

/** Checks that paid transactions have a full receipt and each state change has one event. */
function stateFaults({ shown }: FinalState): string[] {
  return [...shown].flatMap(([id, { transaction, receipts, events }]) => {
    const faults: string[] = [];
    const full = receipts.some(({ amount }) => amount >= transaction.amount);
    if ((transaction.status === 'paid') !== full)
      faults.push(`${id} is ${transaction.status} with ${receipts.length} receipts`);
    const successes = events.filter(({ event }) => event === 'payment.success').length;
    if (successes !== (transaction.status === 'paid' ? 1 : 0))
      faults.push(`${id} is ${transaction.status} with ${successes} events of success`);
    if (transaction.status !== 'pending' && events.length === 0)
      faults.push(`${id} became ${transaction.status} without an event`);
    if (new Set(events.map(({ event }) => event)).size !== events.length)
      faults.push(`${id} has one event twice: ${events.map(({ event }) => event).join(', ')}`);
    return faults;
  });
}

function judgeWebhooks(log: CallLog, { shown }: FinalState, arrivals: readonly Arrival[]) {
  const faults: string[] = [];
  const byTransaction = Map.groupBy(arrivals, ({ transactionId }) => transactionId);
  let outOfOrder = 0;
  let repeatedSuccesses = 0;
  for (const [id, transaction] of shown) {
    const seen = byTransaction.get(id) ?? [];
    const successes = new Set(seen.filter(isSuccess).map(({ eventId }) => eventId)).size;
    const hasEndpoint = log.inits.get(id)?.shop.hasEndpoint ?? false;
    if (transaction.transaction.status === 'paid' && hasEndpoint && successes === 0)
      faults.push(`${id} is paid and its endpoint received no event`);
    if (successes > 1) {
      repeatedSuccesses++;
      faults.push(`${id} was announced as paid by ${successes} different events`);
    }
    if (!inOrder(transaction, seen)) {
      outOfOrder++;
      faults.push(`the events of ${id} arrived out of order: ${seen.map(({ event }) => event).join(', ')}`);
    }
  }
  for (const { transactionId, eventId, event } of arrivals) {
    if (!shown.get(transactionId)?.events.some(({ id }) => id === eventId))
      faults.push(`${event} of ${transactionId} was delivered, but there is no such event`);
  }
  const perDelivery = Map.groupBy(arrivals, ({ deliveryId }) => deliveryId);
  for (const [id, requests] of perDelivery) {
    if (requests.length > REQUESTS_PER_DELIVERY_MAX) faults.push(`${id} was sent ${requests.length} times`);
  }
  const requestsPerDeliveryMax = Math.max(0, ...[...perDelivery.values()].map(({ length }) => length));
  return { faults, outOfOrder, repeatedSuccesses, requestsPerDeliveryMax };
}

const isSuccess = ({ event }: Arrival) => event === 'payment.success';

/** Returns whether all requests of an event arrived before the first request of the next. */
function inOrder({ events }: Shown, seen: readonly Arrival[]): boolean {
  const places = seen.map(({ eventId }) => events.findIndex(({ id }) => id === eventId));
  return places.every((place, i) => i === 0 || place >= (places[i - 1] ?? 0));
}
