import { createCipheriv, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { bodyOf, bodyPlans } from './bodies.ts';
import { headers } from './headers.ts';
import { paths, queries } from './targets.ts';
import { type Generated, weighted } from './weighted.ts';

/** The data that a generated call may name. */
export interface World {
  keys: Record<KeyForm, string>;
  antiPhishingKey: string;
  /** Signs EuPago's notifications. */
  webhookKey: string;
  /** The caller's transactions, then one of another merchant and an unknown id. */
  transactions: readonly string[];
  /** Checkout sessions, in the same order. */
  sessions: readonly string[];
  /** The paths of payment pages and links. */
  pages: readonly string[];
}

const KEY_FORMS = ['valid', 'other', 'revoked', 'inactive', 'unknown'] as const;
type KeyForm = (typeof KEY_FORMS)[number];

export interface Call {
  method: string;
  target: string;
  headers: [string, string][];
  body: Buffer | null;
  bytes: Buffer;
  /** Whether the server waits for more bytes. */
  incomplete: boolean;
}

const sometimes = <T>(weight: number, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 100 - weight, arbitrary: fc.constant(null) }, { weight, arbitrary });
const few = (weight: number, maxLength: number) =>
  sometimes(weight, fc.array(headers, { minLength: 1, maxLength })).map((list) => list ?? []);

/** Calls with a few faults; some have none, some have many. */
export const callPlans = fc.record({
  endpoint: weighted([9, 'rest'], [7, 'trpc'], [2, 'callback'], [2, 'notification'], [3, 'page']),
  operation: weighted(
    [8, 'init'],
    [6, 'mbway', 'multibanco', 'status'],
    [1, 'methods'],
    [4, 'createSession'],
    [1, 'session'],
  ),
  /** This and the next two replace the operation's own. */
  method: sometimes(
    4,
    fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'),
  ),
  path: sometimes(8, paths),
  query: sometimes(12, queries),
  key: weighted([14, 'valid'], [1, ...KEY_FORMS]),
  transaction: fc.nat(999),
  /** Values of the valid body before its changes. */
  storeUrl: weighted(
    [12, 'https://shop.pt/checkout'],
    [1, 'https://evil-shop.pt', 'https://www.shop.pt', ''],
  ),
  phoneNumber: weighted([6, '912345678'], [1, '911000005', '930000001']),
  amount: weighted([4, '12,50'], [1, '', '-1', '1e9', '0', '9'.repeat(300), '<script>']),
  origin: weighted([3, 'null'], [1, 'https://evil.pt']),
  idempotencyKey: sometimes(25, fc.constantFrom('a', 'b', 'c')),
  /** The fault of the bank at the next push or reference. */
  fault: sometimes(6, fc.constantFrom('refuse', 'error500', 'garbage')),
  body: bodyPlans,
  /** Headers added to the valid ones; one of the same name replaces it. */
  headers: few(20, 4),
  /** Sent a second time. */
  repeated: few(3, 2),
  framing: weighted([18, 'length'], [2, 'chunked', 'short', 'none']),
  /** The address that the proxy in front reports. */
  client: fc.nat(0xffff),
});

/** A generated call, in terms that fast-check can shrink. */
export type CallPlan = Generated<typeof callPlans>;

const POSTS = ['init', 'mbway', 'multibanco', 'createSession'];

/** The bytes of a planned call. */
export function callOf(plan: CallPlan, world: World): Call {
  const ids = isCheckout(plan) ? world.sessions : world.transactions;
  const id = ids[plan.transaction % ids.length] ?? '';
  const posts = plan.endpoint === 'notification' || POSTS.includes(plan.operation);
  const method = plan.method ?? (plan.endpoint !== 'callback' && posts ? 'POST' : 'GET');
  const path = plan.path ?? pathOf(plan, world);
  const query = (plan.query ?? queryOf(plan, id))
    .replaceAll('TX', id)
    .replaceAll('AP', world.antiPhishingKey);
  const target = query === '' ? path : `${path}?${query}`;
  const body = method === 'POST' ? finalBody(plan, id, world) : null;
  const given = new Set(plan.headers.map(([name]) => name.toLowerCase()));
  const valid: [string, string][] = [
    ['Host', 'localhost'],
    ['Authorization', `Bearer ${world.keys[plan.key]}`],
    ['X-Forwarded-For', `198.18.${plan.client >> 8}.${plan.client & 255}`],
    ...(body === null ? [] : [['Content-Type', typeOf(plan)] as [string, string]]),
    ...(plan.endpoint === 'page' ? [['Origin', plan.origin] as [string, string]] : []),
    ...(plan.endpoint === 'notification' && body !== null ? signed(body, world) : []),
    ...(plan.idempotencyKey === null ? [] : [['Idempotency-Key', plan.idempotencyKey] as [string, string]]),
  ];
  const sent = [
    ...valid.filter(([name]) => !given.has(name.toLowerCase())),
    ...plan.headers,
    ...plan.repeated,
  ];
  const framed = frame(body, plan.framing);
  const head = [...sent, ...framed.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return {
    method,
    target,
    headers: sent,
    body,
    bytes: Buffer.concat([
      Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`, 'latin1'),
      framed.bytes,
    ]),
    incomplete: framed.incomplete,
  };
}

function isCheckout({ operation }: CallPlan): boolean {
  return operation === 'createSession' || operation === 'session';
}

function typeOf({ endpoint }: CallPlan): string {
  return endpoint === 'page' ? 'application/x-www-form-urlencoded' : 'application/json';
}

function pathOf(plan: CallPlan, { pages }: World): string {
  const { endpoint, operation, transaction } = plan;
  if (endpoint === 'page') return pages[transaction % pages.length] ?? '';
  if (endpoint === 'rest')
    return isCheckout(plan) ? '/checkout/v1/sessions' : `/api/v1/payments/${operation}`;
  if (endpoint === 'trpc') return `/trpc/${isCheckout(plan) ? 'checkout' : 'payments'}.${operation}`;
  return endpoint === 'callback' ? '/callbacks/ifthenpay' : '/callbacks/eupago';
}

/** A step of the page; the changed JSON follows as one more field. */
function formOf({ operation, phoneNumber, amount }: CallPlan): string {
  if (operation === 'status') return '';
  const step = operation === 'mbway' ? `method=MBWAY&phoneNumber=${phoneNumber}` : 'method=REFERENCE';
  return `${step}&amount=${encodeURIComponent(amount)}&x=`;
}

const IV = Buffer.alloc(16, 9);

/** The changed body; of some notifications, encrypted after the changes. */
function finalBody(plan: CallPlan, transactionId: string, { webhookKey }: World): Buffer {
  const changed = bodyOf(validBody(plan, transactionId), plan.body);
  if (plan.endpoint === 'page') return Buffer.concat([Buffer.from(formOf(plan)), changed]);
  if (plan.endpoint !== 'notification' || plan.operation === 'init') return changed;
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(webhookKey), IV);
  const data = Buffer.concat([cipher.update(changed), cipher.final()]).toString('base64');
  return Buffer.from(JSON.stringify({ data }));
}

/** The headers of a notification that is signed after the changes. */
function signed(body: Buffer, { webhookKey }: World): [string, string][] {
  const data = /^\{"data":"([^"]*)"\}$/.exec(body.toString())?.[1];
  const signature = createHmac('sha256', webhookKey)
    .update(data ?? body)
    .digest('base64');
  return [
    ['X-Signature', signature],
    ['X-Initialization-Vector', IV.toString('base64')],
  ];
}

function queryOf({ endpoint, operation }: CallPlan, transactionId: string): string {
  if (endpoint === 'callback')
    return 'key=AP&orderId=FUZZ&amount=19.99&requestId=r&payment_datetime=x&status=PAID';
  const name = { status: 'transactionId', session: 'sessionId' }[operation as string];
  if (name === undefined || endpoint === 'page') return '';
  if (endpoint !== 'trpc') return `${name}=TX`;
  return `input=${encodeURIComponent(JSON.stringify({ [name]: transactionId }))}`;
}

function validBody({ operation, endpoint, ...plan }: CallPlan, transactionId: string): unknown {
  if (endpoint === 'notification') {
    const transaction = {
      identifier: 'FUZZ',
      reference: '306188',
      entity: null,
      method: 'MW:PT',
      trid: 7001,
      amount: { value: '19.99000', currency: 'EUR' },
      date: '2026-01-15 12:00:00',
      status: 'Paid',
    };
    return { channel: { name: 'Shop' }, transaction };
  }
  if (endpoint === 'callback' || endpoint === 'page' || operation === 'methods') return {};
  if (operation === 'mbway') return { transactionId, phoneNumber: plan.phoneNumber };
  if (operation !== 'init' && operation !== 'createSession') return { transactionId };
  const session = {
    successUrl: 'https://shop.pt/ok?order=1',
    cancelUrl: 'https://shop.pt/',
    locale: 'en',
    methods: ['MBWAY', 'REFERENCE'],
  };
  return {
    orderId: 'FUZZ-1',
    amount: 19.99,
    currency: 'EUR',
    storeUrl: plan.storeUrl,
    customer: {
      name: 'Ana Silva',
      email: 'ana@shop.pt',
      phone: '912345678',
      address: 'Rua A',
      zip: '1000-001',
      country: 'PT',
    },
    customerName: 'Ana',
    shippingAddress: {
      line1: 'Rua B',
      address_line1: 'Rua C',
      city: 'Porto',
      zip: '4000-001',
      country: 'PT',
    },
    items: [
      { id: 'SKU-1', name: 'Mug', quantity: 1, priceInCents: 1999 },
      { id: 7, name: 'Cup', quantity: 2, price: 0.5 },
    ],
    trackingParameters: { utm_source: 'x', fbclid: 'y' },
    ...(operation === 'createSession' && session),
  };
}

function frame(body: Buffer | null, framing: CallPlan['framing']) {
  const headers: [string, string][] = [];
  if (body === null || framing === 'none') {
    // Without a length there is no body: its bytes would be the next request.
    if (body !== null) headers.push(['Content-Length', '0']);
    return { headers, bytes: Buffer.alloc(0), incomplete: false };
  }
  if (framing === 'chunked') {
    headers.push(['Transfer-Encoding', 'chunked']);
    return { headers, bytes: chunked(body), incomplete: false };
  }
  const missing = framing === 'short' ? 1 + (body.length % 50) : 0;
  headers.push(['Content-Length', String(body.length + missing)]);
  return { headers, bytes: body, incomplete: missing > 0 };
}

function chunked(body: Buffer): Buffer {
  const middle = body.length >> 1;
  const parts = [body.subarray(0, middle), body.subarray(middle)].filter((part) => part.length > 0);
  return Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
    Buffer.from('0\r\n\r\n'),
  ]);
}
