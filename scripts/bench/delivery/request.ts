import { signHeaders } from '../../../src/webhooks/signature.ts';

export type Delivery = ReturnType<typeof nthDelivery>;

/** Returns the n-th delivery of a peer, with a body and ids of the same length as the service's. */
export function nthDelivery(n: number) {
  const number = String(n).padStart(26, '0');
  const at = '2026-01-15T12:00:00.000Z';
  const transactionId = `tx_${number}`;
  const data = {
    id: transactionId,
    externalOrderId: `ORDER-${n}`,
    amount: 19.99,
    currency: 'EUR',
    paymentMethod: 'MBWAY',
    status: 'paid',
    paidAt: at,
  };
  const body = JSON.stringify({ event: 'payment.success', timestamp: at, data });
  const ids = { transactionId, deliveryId: `dlv_${number}`, eventId: `evt_${number}` } as const;
  return { ...ids, kind: 'payment.success', body } as const;
}

/** Returns the service's headers with both signatures, so that all peers send the same bytes. */
export function signedHeaders(delivery: Delivery, secret: string): Record<string, string> {
  const headers = signHeaders({ ...delivery, now: Date.now(), secrets: [secret] });
  return { ...headers, 'Accept-Encoding': 'identity' };
}
