import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Sqlite from 'better-sqlite3';

/** The server of the peer `limit`; see limit.ts. Takes BENCH_PORT and BENCH_FILE. */
const db = new Sqlite(process.env.BENCH_FILE ?? '');
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(`create table payments (
  id text primary key not null,
  order_id text not null,
  amount_cents integer not null,
  status text not null,
  paid_at integer,
  customer text,
  items text,
  tracking text,
  created_at integer not null
)`);
const begin = db.prepare('begin immediate');
const commit = db.prepare('commit');
const insert = db.prepare("insert into payments values (?, ?, ?, 'pending', null, ?, ?, ?, ?)");
const select = db.prepare<[string], { id: string; order_id: string; status: string; amount_cents: number }>(
  'select id, order_id, status, amount_cents from payments where id = ?',
);

interface Waiting {
  readonly body: string;
  readonly response: ServerResponse;
}
let waiting: Waiting[] = [];
let made = 0;

function enqueue(item: Waiting): void {
  waiting.push(item);
  if (waiting.length === 1) setImmediate(commitAll);
}

/** One commit for all requests that arrived in this turn of the event loop; they are answered after it. */
function commitAll(): void {
  const batch = waiting;
  waiting = [];
  begin.run();
  const answers = batch.map(({ body }) => store(body));
  commit.run();
  for (const [i, { response }] of batch.entries()) answer(response, answers[i]);
}

function store(body: string): unknown {
  const order = JSON.parse(body);
  // Ids that sort by time, as ours do: random ones would touch another page of the index with every row.
  made += 1;
  const id = `tx_${Date.now().toString(36)}${String(made).padStart(9, '0')}${randomBytes(8).toString('hex')}`;
  insert.run(
    id,
    order.orderId,
    Math.round(order.amount * 100),
    JSON.stringify(order.customer),
    JSON.stringify(order.items),
    JSON.stringify(order.trackingParameters),
    Date.now(),
  );
  return { transactionId: id, amount: order.amount, currency: 'EUR' };
}

function readStatus(url: string): unknown {
  const row = select.get(url.slice(url.indexOf('=') + 1));
  return (
    row && {
      transactionId: row.id,
      externalOrderId: row.order_id,
      status: row.status,
      paymentMethod: null,
      amount: row.amount_cents / 100,
      currency: 'EUR',
      paidAt: null,
    }
  );
}

function answer(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value ?? {});
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'POST') {
    answer(response, readStatus(request.url ?? ''));
    return;
  }
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => enqueue({ body, response }));
}

createServer(handle).listen(Number(process.env.BENCH_PORT), '127.0.0.1');
