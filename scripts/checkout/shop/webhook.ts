import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '../../../src/client/webhooks.ts';
import type { Orders } from './orders.ts';
import { take } from './payments.ts';

const SEEN_MAX = 10_000;

/** Creates the receiver of the service's webhooks. */
export function createWebhookReceiver(orders: Orders, webhookSecret: string) {
  // A real shop stores this with its orders, in the same database transaction as the change of the order.
  const seen = new Set<string>();

  return async function receive(request: Request): Promise<Response> {
    // Verify the raw body: re-serialised JSON has different bytes.
    const body = await request.text();
    let event: WebhookEvent;
    try {
      event = await verifyWebhook(body, request.headers, webhookSecret);
    } catch (error) {
      // An event of a later version: acknowledge it, so that it is not sent again.
      const unknown = error instanceof WebhookVerificationError && error.code === 'UNKNOWN_EVENT';
      return new Response(null, { status: unknown ? 200 : 401 });
    }

    // The key includes the event, because a payment can follow a cancellation of the same transaction.
    const key = `${event.data.id} ${event.event}`;
    const repeated = seen.has(key);
    if (seen.size >= SEEN_MAX) seen.clear();
    seen.add(key);

    const { data } = event;
    const transactionId = 'transactionId' in data ? data.transactionId : data.id;
    const order = orders.ofTransaction(transactionId) ?? orders.ofNumber(data.externalOrderId);
    order?.webhooks.unshift({
      at: new Date().toISOString(),
      event: event.event,
      deliveryId: request.headers.get('x-service-delivery-id') ?? '',
      signature: request.headers.get('x-service-signature') ?? '',
      body,
      repeated,
    });
    if (order && !repeated && !('transactionId' in data)) {
      const { status, paymentMethod: method, paidAt } = data;
      take(order, { transactionId, status, method, paidAt }, 'webhook');
    }
    // Acknowledge events of unknown orders too, so that they are not sent again.
    return new Response('ok');
  };
}
