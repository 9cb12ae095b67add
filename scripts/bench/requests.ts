const TRANSACTION_ID = /"transactionId":"(tx_[^"]+)"/;

/** A merchant that sends orders. */
export interface Shop {
  /** The Authorization header's value. */
  readonly authorization: string;
  readonly domain: string;
}

/** The requests sent to one server. */
export interface Workload {
  nextRequest(): string;
  /** Checks the body of a 200 answer; throws when it is wrong. */
  accept(body: string): void;
  /** Runs after the server was stopped; throws when an answered write is not stored. */
  verify?(): Promise<void>;
}

/** Returns the body of the n-th init: full checkout data, two items. */
export function orderJson(n: number, domain: string, customer = n >> 1): string {
  return JSON.stringify({
    orderId: `ORDER-${n}`,
    amount: (100 + (n % 9000)) / 100,
    currency: 'EUR',
    storeUrl: `https://${domain}/checkout`,
    customer: {
      name: `Maria Silva ${customer}`,
      email: `maria.silva.${customer}@mail.example`,
      phone: `91${String(customer % 10_000_000).padStart(7, '0')}`,
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

export interface Orders {
  /** The number of distinct customers. By default each customer orders twice, so half of the orders create a lead. */
  readonly customersMax?: number;
  created?(id: string): void;
}

/** Inits of the merchants in turn. */
export function initRequests(
  shops: readonly Shop[],
  { customersMax = Number.POSITIVE_INFINITY, created }: Orders = {},
): Workload {
  let sent = 0;
  return {
    nextRequest() {
      const n = sent++;
      const { authorization = '', domain = '' } = shops[n % shops.length] ?? {};
      const body = orderJson(n, domain, (n >> 1) % customersMax);
      return `POST /api/v1/payments/init HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    },
    accept(body) {
      const id = TRANSACTION_ID.exec(body)?.[1];
      if (id === undefined) throw new Error(`an init without transactionId: ${body.slice(0, 500)}`);
      created?.(id);
    },
  };
}

/** GET requests of `path(n)`; each answer must match `expected`, by default a transaction. */
export function reads(
  headers: Readonly<Record<string, string>>,
  path: (n: number) => string,
  expected = TRANSACTION_ID,
): Workload {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  let sent = 0;
  return {
    nextRequest: () => `GET ${path(sent++)} HTTP/1.1\r\n${lines.join('')}\r\n`,
    accept(body) {
      if (!expected.test(body)) throw new Error(`an answer without ${expected}: ${body.slice(0, 500)}`);
    },
  };
}

export function statusRequests({ authorization }: Shop, ids: readonly string[]): Workload {
  return reads(
    { Authorization: authorization },
    (n) => `/api/v1/payments/status?transactionId=${ids[n % ids.length]}`,
  );
}
