import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Sqlite from 'better-sqlite3';
import pg from 'pg';

/**
 * The peer `limit`: serves init and status on SERVICE_PORT from the database BENCH_DATABASE, without validation and without keys.
 */
const DATABASE = process.env.BENCH_DATABASE ?? '';
const TABLE = `create table payments (
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
const SELECT = 'select id, order_id, status, amount_cents from payments where id =';
const CONNECTIONS_MAX = 32;

type Row = Readonly<{ id: string; order_id: string; status: string; amount_cents: number }>;

type Answer = (value: unknown) => void;

interface Store {
  /** Stores an order and answers after its commit. */
  insert(body: string, answer: Answer): void;
  read(id: string, found: (row: Row | undefined) => void): void;
}

/** All inits that arrive in one turn of the event loop share a commit. */
function openSqlite(): Store {
  const db = new Sqlite(DATABASE.replace(/^sqlite:/, ''));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(TABLE);
  const begin = db.prepare('begin immediate');
  const commit = db.prepare('commit');
  const insert = db.prepare("insert into payments values (?, ?, ?, 'pending', null, ?, ?, ?, ?)");
  const select = db.prepare<[string], Row>(`${SELECT} ?`);
  let pending: { body: string; answer: Answer }[] = [];
  const commitAll = () => {
    const batch = pending;
    pending = [];
    begin.run();
    const values = batch.map(({ body }) => {
      const order = parseOrder(body);
      insert.run(...order.values);
      return order.answer;
    });
    commit.run();
    for (const [i, { answer }] of batch.entries()) answer(values[i]);
  };
  return {
    insert(body, answer) {
      pending.push({ body, answer });
      if (pending.length === 1) setImmediate(commitAll);
    },
    read: (id, found) => found(select.get(id)),
  };
}

/** One prepared insert per commit. */
async function openPostgres(): Promise<Store> {
  const pool = new pg.Pool({ connectionString: DATABASE, max: CONNECTIONS_MAX });
  const sql = "insert into payments values ($1, $2, $3, 'pending', null, $4, $5, $6, $7)";
  const insert = { name: 'insert', text: sql };
  const select = { name: 'select', text: `${SELECT} $1` };
  // A failed statement ends the process, and the benchmark with it.
  const fail = (error: unknown) => {
    throw error;
  };
  await pool.query(TABLE);
  return {
    insert(body, answer) {
      const order = parseOrder(body);
      pool.query({ ...insert, values: order.values }).then(() => answer(order.answer), fail);
    },
    read(id, found) {
      pool.query<Row>({ ...select, values: [id] }).then(({ rows }) => found(rows[0]), fail);
    },
  };
}

let created = 0;

/** Parses an order; returns its row's values and its answer. Ids sort by time, as the service's do. */
function parseOrder(body: string): { values: unknown[]; answer: unknown } {
  const order = JSON.parse(body);
  created += 1;
  const id = `tx_${Date.now().toString(36)}${String(created).padStart(9, '0')}${randomBytes(8).toString('hex')}`;
  const json = [order.customer, order.items, order.trackingParameters].map((value) => JSON.stringify(value));
  return {
    values: [id, order.orderId, Math.round(order.amount * 100), ...json, Date.now()],
    answer: { transactionId: id, amount: order.amount, currency: 'EUR' },
  };
}

function readBody(request: IncomingMessage, done: (body: string) => void): void {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => done(body));
}

function statusOf({ id, order_id, status, amount_cents }: Row): unknown {
  return {
    transactionId: id,
    externalOrderId: order_id,
    status,
    paymentMethod: null,
    amount: amount_cents / 100,
    currency: 'EUR',
    paidAt: null,
  };
}

function send(response: ServerResponse): Answer {
  return (value) => {
    const body = JSON.stringify(value ?? {});
    const length = Buffer.byteLength(body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    response.end(body);
  };
}

const store = DATABASE.startsWith('sqlite:') ? openSqlite() : await openPostgres();
createServer((request, response) => {
  if (request.method === 'POST') return readBody(request, (body) => store.insert(body, send(response)));
  const url = request.url ?? '';
  store.read(url.slice(url.indexOf('=') + 1), (row) => send(response)(row && statusOf(row)));
}).listen(Number(process.env.SERVICE_PORT), '127.0.0.1');
