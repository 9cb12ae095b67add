import type { Order, Shop } from './call-log.ts';

const CALL_TIMEOUT_MS = 20_000;

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body is untyped JSON
  body: any;
}

/** Calls the merchant API; null when the connection broke before the complete answer. */
export async function call(
  url: string,
  shop: Shop,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer | null> {
  return ask(`${url}/api/v1${path}`, body, { authorization: `Bearer ${shop.apiKey}`, ...headers });
}

/** Sends an HTTP request, a POST when there is a body. */
export async function ask(
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer | null> {
  const post =
    body === undefined
      ? { headers }
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        };
  try {
    const response = await fetch(url, { ...post, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
    return { status: response.status, body: await response.json() };
  } catch {
    return null;
  }
}

export function init(url: string, { shop, key, orderId, amount }: Order): Promise<Answer | null> {
  const order = {
    orderId,
    amount,
    storeUrl: 'https://shop.pt',
    customer: { name: 'Ana Silva', email: `${orderId.toLowerCase()}@mail.example` },
    items: [{ id: 'MUG-1', name: 'Mug', quantity: 1, price: amount }],
  };
  return call(url, shop, '/payments/init', order, { 'idempotency-key': key });
}
