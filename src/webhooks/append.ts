import { afterCommit, type Tx } from '../db/database.ts';
import type { PaymentMethod, TransactionStatus } from '../db/tables/payments.ts';
import type { EventKind } from '../db/tables/webhooks.ts';
import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { type Cents, eurosFromCents } from '../kernel/money.ts';
import { BLOCKED, hasEarlierDue, insertDelivery, insertEvent } from './store.ts';

/** An event for a merchant. */
export interface NewEvent {
  merchantId: Id<'mer'>;
  /** Null for `webhook.test`. */
  transactionId: Id<'tx'> | null;
  kind: EventKind;
  /** The event's place among its transaction's events, from 1, in which they are delivered; null for no order. */
  transactionSequence: number | null;
  data: {
    id: string;
    externalOrderId: string;
    amount: Cents;
    paymentMethod: PaymentMethod | null;
    status: TransactionStatus;
    paidAt: number | null;
  };
}

/**
 * Inserts an event and its delivery in the caller's database transaction, and wakes the dispatcher after the commit. The body
 * is made here, once, so that every attempt sends the same bytes.
 */
export async function appendEvent(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'wakeDispatcher'>,
  event: NewEvent,
): Promise<{ eventId: Id<'evt'>; deliveryId: Id<'dlv'>; createdAt: number }> {
  const now = deps.clock.now();
  const eventId = deps.ids('evt');
  const deliveryId = deps.ids('dlv');
  const { merchantId, transactionId, kind, transactionSequence } = event;
  await insertEvent(tx, {
    id: eventId,
    merchant_id: merchantId,
    transaction_id: transactionId,
    kind,
    body: eventBody(kind, now, event.data),
    created_at: now,
  });
  const isBehind =
    transactionId !== null &&
    transactionSequence !== null &&
    (await hasEarlierDue(tx, transactionId, transactionSequence));
  await insertDelivery(tx, {
    id: deliveryId,
    eventId,
    merchantId,
    transactionId,
    kind,
    transactionSequence,
    blocked: isBehind ? BLOCKED.behindEarlier : BLOCKED.ready,
    now,
  });
  afterCommit(tx, () => deps.wakeDispatcher(merchantId));
  return { eventId, deliveryId, createdAt: now };
}

/** Returns the body of an event. `now` is when the state changed, UTC milliseconds. */
export function eventBody(kind: EventKind, now: number, data: NewEvent['data']): string {
  return JSON.stringify({
    event: kind,
    timestamp: isoInstant(now),
    data: {
      id: data.id,
      externalOrderId: data.externalOrderId,
      amount: eurosFromCents(data.amount),
      currency: 'EUR',
      paymentMethod: data.paymentMethod,
      status: data.status,
      paidAt: data.paidAt === null ? null : isoInstant(data.paidAt),
    },
  });
}
