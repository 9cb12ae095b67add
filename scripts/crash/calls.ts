import type { CallLog, Order, Shop } from './call-log.ts';
import type { Installation } from './installation.ts';

export const CALL_TIMEOUT_MS = 20_000;

export interface LoadOptions extends Pick<Installation, 'url' | 'sandboxUrl' | 'operator'> {
  seed: number;
  round: number;
  shops: readonly Shop[];
  log: CallLog;
  callers?: number;
  /** Callers continue after a missing response and treat 500 as one, because the database may be disconnected. */
  patient?: boolean;
  /** Runs after each acknowledged init. */
  onInit?(): void;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body is untyped JSON
  body: any;
}

/** Calls an operation as a shop; null when the connection broke before the complete response. */
export function call(
  url: string,
  shop: Shop,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer | null> {
  return ask(`${url}${path}`, body, { authorization: `Bearer ${shop.apiKey}`, ...headers });
}

/** Sends an HTTP request, a POST when there is a body. */
export async function ask(
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer | null> {
  const post = body !== undefined && {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  try {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const response = await fetch(url, { headers, ...post, signal });
    return { status: response.status, body: await response.json() };
  } catch {
    return null;
  }
}

export function create(url: string, { shop, orderId, amount, hosted }: Order): Promise<Answer | null> {
  const order = {
    orderId,
    amount,
    storeUrl: 'https://shop.pt',
    customer: { name: 'Ana Silva', email: emailOf(orderId) },
    items: [{ id: 'MUG-1', name: 'Mug', quantity: 1, price: amount }],
  };
  const path = hosted ? '/checkout/v1/sessions' : '/api/v1/payments/init';
  return call(url, shop, path, order, { 'idempotency-key': orderId });
}

export function emailOf(orderId: string): string {
  return `${orderId.toLowerCase()}@mail.example`;
}
