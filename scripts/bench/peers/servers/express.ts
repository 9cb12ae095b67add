import express from 'express';
import { InitInput, StatusInput } from './order.ts';
import { hashOf, keyOf, newId, openTables, statusOf, type TransactionRow } from './tables.ts';

/** The peer `express`: Express, zod and SQL by hand on better-sqlite3, a commit for each request. Takes BENCH_PORT. */
const db = openTables();
const merchantOf = db.prepare<[string], string>('select id from merchants where key_hash = ?').pluck();
const domainOf = db.prepare('select 1 from store_domains where merchant_id = ? and domain = ?');
const lead = db
  .prepare<unknown[], string>(
    `insert into leads values (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)
     on conflict (merchant_id, identity) do update set name = excluded.name, phone = excluded.phone, items = excluded.items,
       tracking = excluded.tracking, last_seen_at = excluded.last_seen_at, orders_count = orders_count + 1,
       asked_cents = asked_cents + excluded.asked_cents
     returning id`,
  )
  .pluck();
const insert = db.prepare(
  "insert into transactions values (?, ?, ?, ?, 'pending', null, null, ?, ?, ?, ?, ?, ?)",
);
const status = db.prepare<[string, string], TransactionRow>(
  'select id, order_id, status, amount_cents, paid_at, paid_method from transactions where id = ? and merchant_id = ?',
);

const create = db.transaction((merchantId: string, order: InitInput) => {
  const id = newId('tx');
  const now = Date.now();
  const cents = Math.round(order.amount * 100);
  const { customer } = order;
  const items = json(order.items);
  const tracking = json(order.trackingParameters);
  const identity = `email:${customer?.email.toLowerCase() ?? ''}`;
  const person = [customer?.email ?? null, customer?.phone ?? null, customer?.name ?? null];
  const leadId = lead.get(newId('led'), merchantId, identity, ...person, now, now, cents, items, tracking);
  const host = new URL(order.storeUrl).hostname;
  insert.run(id, merchantId, order.orderId, cents, host, json(customer), items, tracking, leadId, now);
  return { transactionId: id, amount: order.amount, currency: 'EUR' };
});

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

const app = express();
app.disable('etag').disable('x-powered-by');
app.get('/', (_request, response) => void response.json({ status: 'ok' }));
app.use('/api/v1', express.json(), (request, response, next) => {
  const merchantId = merchantOf.get(hashOf(keyOf(request.headers.authorization)));
  if (merchantId === undefined) return void response.status(401).json({ error: 'key invalid' });
  response.locals.merchantId = merchantId;
  next();
});
app.post('/api/v1/payments/init', (request, response) => {
  const input = InitInput.safeParse(request.body);
  if (!input.success) return void response.status(400).json({ error: input.error.message });
  const { merchantId } = response.locals;
  if (domainOf.get(merchantId, new URL(input.data.storeUrl).hostname) === undefined) {
    return void response.status(403).json({ error: 'DOMAIN_NOT_ALLOWED' });
  }
  response.json(create.immediate(merchantId, input.data));
});
app.get('/api/v1/payments/status', (request, response) => {
  const input = StatusInput.safeParse(request.query);
  if (!input.success) return void response.status(400).json({ error: input.error.message });
  const found = status.get(input.data.transactionId, response.locals.merchantId);
  if (found === undefined) return void response.status(404).json({ error: 'not found' });
  response.json(statusOf(found));
});

app.listen(Number(process.env.BENCH_PORT), '127.0.0.1');
