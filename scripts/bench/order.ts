/** The store domain that the peers' merchant has registered. */
export const STORE_DOMAIN = 'bench-shop.example';

/**
 * The body of the n-th init: full checkout data, two items. Every customer orders twice, so that half of the orders
 * make a lead and half find one.
 */
export function orderJson(n: number): string {
  const shopper = n >> 1;
  return JSON.stringify({
    orderId: `ORDER-${n}`,
    amount: (100 + (n % 9000)) / 100,
    currency: 'EUR',
    storeUrl: `https://${STORE_DOMAIN}/checkout`,
    customer: {
      name: `Maria Silva ${shopper}`,
      email: `maria.silva.${shopper}@mail.example`,
      phone: `91${String(shopper % 10_000_000).padStart(7, '0')}`,
      address: 'Rua da Prata 80, 2 Esq',
      city: 'Lisboa',
      postalCode: '1100-420',
      country: 'PT',
    },
    items: [
      { id: 'MUG-1', name: 'Enamel mug', quantity: 1, priceInCents: 1250 },
      { id: 'TEA-7', name: 'Green tea from Gorreana, 100 g', quantity: 2, priceInCents: 475 },
    ],
    trackingParameters: { utm_source: 'newsletter', utm_campaign: 'autumn' },
  });
}

/** The whole HTTP request of an init, for one peer. */
export function initRequest(peer: { port: number; authorization: string }, n: number): string {
  const body = orderJson(n);
  return `POST /api/v1/payments/init HTTP/1.1\r\nHost: 127.0.0.1:${peer.port}\r\nAuthorization: ${peer.authorization}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const TRANSACTION_ID = /"transactionId":"(tx_[^"]+)"/;

/** The transactionId in an answer's body, or null. */
export function transactionIdIn(body: string): string | null {
  return TRANSACTION_ID.exec(body)?.[1] ?? null;
}
