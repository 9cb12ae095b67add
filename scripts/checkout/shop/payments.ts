import { type PaymentsClient, PaymentsConnectionError, PaymentsError } from '../../../src/client/client.ts';
import type { Order } from './orders.ts';

export const PRODUCT = { id: 'MUG-1', name: 'Caneca Azulejo', priceInCents: 1990 };

/** The interval of status calls while no webhook arrives. */
const ASK_EVERY_MS = 10_000;
/** How long after its window a push may still be settled. */
const SETTLING_MS = 60_000;

export interface PaymentOptions {
  client: PaymentsClient;
  /** The shop's address, whose domain is registered with the service. */
  storeUrl: string;
  /** The time that a customer has to answer a push. */
  mbwayWindowMs: number;
}

/** Sends a push to the customer's phone. */
export async function payByMbway(options: PaymentOptions, order: Order, phoneNumber: string): Promise<void> {
  const transactionId = await openTransaction(options, order);
  const push = { phoneNumber, until: Date.now() + options.mbwayWindowMs, ended: null };
  try {
    await options.client.mbway({ transactionId, phoneNumber });
  } catch (error) {
    if (!mayHaveBeenSent(error)) throw error;
    // The push may be open, so the customer sees the countdown and no second push is sent.
  }
  order.push = push;
  order.askedAt = Date.now();
}

/** Returns whether the push may have reached the phone although the call failed. */
function mayHaveBeenSent(error: unknown): boolean {
  if (error instanceof PaymentsConnectionError) return true;
  if (!(error instanceof PaymentsError)) return false;
  // Without a code, a proxy answered. It may have forwarded the call.
  if (error.code === null) return error.status >= 500 || error.status < 300;
  return ['BANK_OUTCOME_UNKNOWN', 'INTERNAL_ERROR'].includes(error.code);
}

/** Creates a Multibanco reference, also while a push is open. */
export async function payByMultibanco(options: PaymentOptions, order: Order): Promise<void> {
  const transactionId = await openTransaction(options, order);
  const { entity, reference, expiresAt } = await options.client.multibanco({ transactionId });
  order.reference = { entity, reference, expiresAt, expired: false };
  order.askedAt = Date.now();
}

/** Uses the service's payment page instead; returns the URL to redirect the browser to. */
export async function payOnHostedPage(
  { client, storeUrl }: PaymentOptions,
  order: Order,
  shopUrl: string,
): Promise<string> {
  // Counted before the first call: two simultaneous clicks create one session.
  const attempt = order.sessionIds.length;
  const newest = order.sessionIds.at(-1);
  if (newest !== undefined) {
    const { status, url } = await client.session({ sessionId: newest });
    if (status !== 'expired') return url;
  }
  const { sessionId, url } = await client.createSession(
    {
      ...checkoutOf(order, storeUrl),
      successUrl: `${shopUrl}/?order=${order.id}`,
      cancelUrl: `${shopUrl}/?order=${order.id}`,
    },
    // A key returns its first response for 7 days, also when that session has expired.
    { idempotencyKey: `${order.id}-page-${attempt}` },
  );
  if (!order.sessionIds.includes(sessionId)) order.sessionIds.push(sessionId);
  return url;
}

/** Returns the order data that both payment methods send. */
function checkoutOf(order: Order, storeUrl: string) {
  return {
    orderId: order.number,
    amount: order.amount,
    storeUrl,
    customer: order.customer,
    items: [{ ...PRODUCT, quantity: order.quantity }],
  };
}

/** Returns the order's transaction; creates a new one when the last has failed or was cancelled. */
async function openTransaction({ client, storeUrl }: PaymentOptions, order: Order): Promise<string> {
  const newest = order.transactionIds.at(-1);
  if (newest !== undefined && !order.ended) return newest;
  const { transactionId } = await client.init(
    checkoutOf(order, storeUrl),
    // Two simultaneous clicks create one transaction.
    { idempotencyKey: `${order.id}-${order.transactionIds.length}` },
  );
  if (!order.transactionIds.includes(transactionId)) order.transactionIds.push(transactionId);
  order.ended = false;
  return transactionId;
}

/** The state of a transaction, from a webhook or a status call. */
export interface News {
  transactionId: string;
  status: string;
  method: string | null;
  paidAt: string | null;
}

/** Updates the order. A payment always counts; a failure counts only for the newest transaction. */
export function take(order: Order, news: News, confirmedBy: 'webhook' | 'status'): void {
  if (news.status === 'paid') {
    order.paid ??= { method: news.method ?? '', at: news.paidAt ?? new Date().toISOString(), confirmedBy };
    if (confirmedBy === 'webhook') order.paid.confirmedBy = confirmedBy;
  } else if (news.status !== 'pending' && news.transactionId === order.transactionIds.at(-1)) {
    order.ended = true;
    if (order.push) order.push.ended ??= news.status === 'failed' ? 'rejected' : 'lapsed';
    if (order.reference) order.reference.expired = true;
  }
}

/** Reads the status from time to time, in case a webhook does not arrive. */
export async function askNowAndThen({ client }: PaymentOptions, order: Order): Promise<void> {
  const now = Date.now();
  if (order.push && now > order.push.until + SETTLING_MS) order.push.ended ??= 'lapsed';
  if (order.paid || now - order.askedAt < ASK_EVERY_MS) return;
  order.askedAt = now;
  const transactionId = order.transactionIds.at(-1);
  if (transactionId !== undefined) await askStatus(client, order, transactionId);
  const sessionId = order.sessionIds.at(-1);
  if (sessionId === undefined) return;
  // The customer's return from the payment page proves nothing.
  const session = await client.session({ sessionId });
  if (session.status === 'complete') await askStatus(client, order, session.transactionId);
}

async function askStatus(client: PaymentsClient, order: Order, transactionId: string): Promise<void> {
  const { status, paymentMethod, paidAt } = await client.status({ transactionId });
  take(order, { transactionId, status, method: paymentMethod, paidAt }, 'status');
}
