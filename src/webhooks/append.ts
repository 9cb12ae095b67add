import { afterCommit, type Tx } from '../db/database.ts';
import type { PaymentMethod, TransactionStatus } from '../db/tables/payments.ts';
import type { StatusEventKind } from '../db/tables/webhooks.ts';
import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { type Cents, eurosFromCents } from '../kernel/money.ts';
import type { RefundEventData, TransactionEventData } from './contract.ts';
import { BLOCKED, earlierDue, insertDelivery, insertEvent } from './store.ts';

interface EventPlace {
  merchantId: Id<'mer'>;
  /** Null for `webhook.test`. */
  transactionId: Id<'tx'> | null;
  /**
   * The event's sequence among its transaction's events, from 1; they are delivered in this order. Null for an unordered event.
   */
  transactionSequence: number | null;
}

export type EventContent =
  | { kind: StatusEventKind; data: TransactionData }
  | { kind: 'payment.refunded'; data: RefundData };

export interface TransactionData {
  id: string;
  externalOrderId: string;
  amount: Cents;
  paymentMethod: PaymentMethod | null;
  status: TransactionStatus;
  paidAt: number | null;
}

interface RefundData {
  /** The refund's id, because receivers deduplicate on it. */
  id: Id<'ref'>;
  transactionId: string;
  externalOrderId: string;
  paymentMethod: PaymentMethod;
  amount: Cents;
  refundedAt: number;
}

/**
 * Inserts an event and its delivery in the caller's database transaction, and wakes the dispatcher after the commit. The body
 * is created here, once, so that every attempt sends the same bytes.
 */
export async function appendEvent(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'wakeDispatcher'>,
  event: EventPlace & EventContent,
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
    body: eventBody(now, event),
    created_at: now,
  });
  const isBehind =
    transactionId !== null &&
    transactionSequence !== null &&
    transactionSequence > 1 &&
    (await earlierDue(tx, { merchantId, transactionId, transactionSequence })).length > 0;
  await insertDelivery(tx, {
    id: deliveryId,
    event_id: eventId,
    merchant_id: merchantId,
    transaction_id: transactionId,
    kind,
    lane_position: transactionSequence,
    blocked: isBehind ? BLOCKED.behindEarlier : BLOCKED.ready,
    created_at: now,
  });
  afterCommit(tx, () => deps.wakeDispatcher(merchantId));
  return { eventId, deliveryId, createdAt: now };
}

/** Returns the body of an event. `now` is when the state changed, UTC milliseconds. */
export function eventBody(now: number, content: EventContent): string {
  const data = content.kind === 'payment.refunded' ? refundBody(content.data) : transactionBody(content.data);
  return JSON.stringify({ event: content.kind, timestamp: isoInstant(now), data });
}

function transactionBody(data: TransactionData): TransactionEventData {
  return {
    id: data.id,
    externalOrderId: data.externalOrderId,
    amount: eurosFromCents(data.amount),
    currency: 'EUR',
    paymentMethod: data.paymentMethod,
    status: data.status,
    paidAt: data.paidAt === null ? null : isoInstant(data.paidAt),
  };
}

function refundBody(data: RefundData): RefundEventData {
  return {
    id: data.id,
    transactionId: data.transactionId,
    externalOrderId: data.externalOrderId,
    status: 'refunded',
    paymentMethod: data.paymentMethod,
    amount: eurosFromCents(data.amount),
    currency: 'EUR',
    refundedAt: isoInstant(data.refundedAt),
  };
}
