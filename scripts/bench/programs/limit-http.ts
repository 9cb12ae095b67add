import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Order {
  readonly orderId: string;
  readonly amount: number;
  readonly customer: unknown;
  readonly items: unknown;
  readonly trackingParameters: unknown;
}

export interface Row {
  readonly id: string;
  readonly order_id: string;
  readonly status: string;
  readonly amount_cents: number;
}

export const PAYMENTS_TABLE = `create table payments (
  id text primary key not null,
  order_id text not null,
  amount_cents integer not null,
  status text not null,
  paid_at bigint,
  customer text,
  items text,
  tracking text,
  created_at bigint not null
)`;

export interface Store {
  /** Stores an order and calls `answer` after its commit. */
  insert(body: string, answer: (value: unknown) => void): void;
  read(id: string, answer: (row: Row | undefined) => void): void;
}

let created = 0;

/** Parses an order; returns its row's values and its answer. Ids sort by time, as the service's do. */
export function parseOrder(body: string): { values: unknown[]; answer: unknown } {
  const order = JSON.parse(body) as Order;
  created += 1;
  const id = `tx_${Date.now().toString(36)}${String(created).padStart(9, '0')}${randomBytes(8).toString('hex')}`;
  const json = [order.customer, order.items, order.trackingParameters].map((value) => JSON.stringify(value));
  return {
    values: [id, order.orderId, Math.round(order.amount * 100), ...json, Date.now()],
    answer: { transactionId: id, amount: order.amount, currency: 'EUR' },
  };
}

/** Serves init and status from a store on BENCH_PORT, without validation and without keys. */
export function serve(store: Store): void {
  createServer((request, response) => {
    if (request.method === 'POST') return readBody(request, (body) => store.insert(body, send(response)));
    const url = request.url ?? '';
    store.read(url.slice(url.indexOf('=') + 1), (row) => send(response)(row && statusOf(row)));
  }).listen(Number(process.env.BENCH_PORT), '127.0.0.1');
}

function readBody(request: IncomingMessage, done: (body: string) => void): void {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => done(body));
}

function statusOf(row: Row): unknown {
  return {
    transactionId: row.id,
    externalOrderId: row.order_id,
    status: row.status,
    paymentMethod: null,
    amount: row.amount_cents / 100,
    currency: 'EUR',
    paidAt: null,
  };
}

function send(response: ServerResponse): (value: unknown) => void {
  return (value) => {
    const body = JSON.stringify(value ?? {});
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  };
}
