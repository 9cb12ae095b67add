import { afterCommit, type Tx } from '../db/database.ts';
import type { EventKind, PaymentMethod, TransactionStatus } from '../db/tables/tables.ts';
import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { type Cents, eurosFromCents } from '../kernel/money.ts';
import { insertDelivery, insertEvent, laneIsBusy } from './store.ts';

/** An event to be told to its merchant. `lanePosition` counts a transaction's events from 1; null is outside any lane. */
export interface NewEvent {
  merchantId: Id<'mer'>;
  /** Null for `webhook.test`. */
  transactionId: Id<'tx'> | null;
  kind: EventKind;
  lanePosition: number | null;
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
 * Writes the event and its delivery in the caller's unit, so that the state change and its announcement are one
 * commit, and tells the dispatcher of it. The body is made here, once: every attempt sends the same bytes.
 */
export async function appendEvent(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'wakeDispatcher'>,
  event: NewEvent,
): Promise<{ eventId: Id<'evt'>; deliveryId: Id<'dlv'>; createdAt: number }> {
  const now = deps.clock.now();
  const eventId = deps.ids('evt');
  const deliveryId = deps.ids('dlv');
  const { merchantId, transactionId, kind, lanePosition } = event;
  await insertEvent(tx, {
    id: eventId,
    merchant_id: merchantId,
    transaction_id: transactionId,
    kind,
    body: eventBody(kind, now, event.data),
    created_at: now,
  });
  const blocked =
    transactionId !== null && lanePosition !== null && (await laneIsBusy(tx, transactionId, lanePosition));
  await insertDelivery(tx, {
    id: deliveryId,
    eventId,
    merchantId,
    transactionId,
    kind,
    lanePosition,
    blocked,
    now,
  });
  afterCommit(tx, () => deps.wakeDispatcher(merchantId));
  return { eventId, deliveryId, createdAt: now };
}

/** The bytes of an event, made once. `now` is when the state changed, UTC milliseconds. */
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
