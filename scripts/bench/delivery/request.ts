import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

export interface Delivery {
  readonly deliveryId: string;
  readonly eventId: string;
  /** The exact bytes to send. */
  readonly body: string;
}

/** Returns the n-th delivery of a peer, with a body and ids of the same length as the service's. */
export function nthDelivery(n: number): Delivery {
  const number = String(n).padStart(26, '0');
  const at = '2026-01-15T12:00:00.000Z';
  const data = {
    id: `tx_${number}`,
    externalOrderId: `ORDER-${n}`,
    amount: 19.99,
    currency: 'EUR',
    paymentMethod: 'MBWAY',
    status: 'paid',
    paidAt: at,
  };
  const body = JSON.stringify({ event: 'payment.success', timestamp: at, data });
  return { deliveryId: `dlv_${number}`, eventId: `evt_${number}`, body };
}

/** Returns the service's headers with both signatures, so that all peers send the same bytes. */
export function signedHeaders(delivery: Delivery, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = `${delivery.eventId}.${timestamp}.${delivery.body}`;
  const key = secret.slice(PREFIX.length);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhook/1.0',
    'X-Service-Signature': `sha256=${createHmac('sha256', secret).update(delivery.body).digest('hex')}`,
    'X-Service-Event': 'payment.success',
    'X-Service-Delivery-Id': delivery.deliveryId,
    'webhook-id': delivery.eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', key, { encoding: 'base64' }).update(signed).digest('base64')}`,
    'Accept-Encoding': 'identity',
  };
}
