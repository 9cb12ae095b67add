import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { ORDER } from '../support/harness.ts';
import { partitionByMerchant, partitionsOf } from '../support/partitioned.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { ask, serviceOn } from './outage-kit.ts';

const OK = { status: 200 };

/** The tables of the payment path that have the column. */
const TABLES = [
  ...['transactions', 'attempts', 'receipts', 'leads', 'store_domains', 'idempotency'],
  ...['daily_totals', 'daily_method_totals', 'events', 'event_counters', 'deliveries'],
];

/** Records the statements of this process by their text, with the values of the last use. */
function recordStatements(): Map<string, unknown[]> {
  const statements = new Map<string, unknown[]>();
  const original = pg.Client.prototype.query;
  type Config = { text: string; values?: unknown[] };
  function query(this: pg.Client, config: string | Config, ...rest: unknown[]) {
    const text = typeof config === 'string' ? config : config.text;
    const values = typeof config === 'string' ? rest[0] : (config.values ?? rest[0]);
    statements.set(text, Array.isArray(values) ? values : []);
    return (original as (...args: unknown[]) => unknown).call(this, config, ...rest);
  }
  pg.Client.prototype.query = query as typeof original;
  onTestFinished(() => {
    pg.Client.prototype.query = original;
  });
  return statements;
}

test('init, both methods, a checkout session, payment and delivery run on tables partitioned by merchant, and each statement touches one partition', async () => {
  const server = await startPostgresServer();
  onTestFinished(() => server.stop());
  await server.create('pcs');
  await (await openDatabase(server.url('pcs'))).close();
  const client = new pg.Client({ connectionString: server.url('pcs') });
  await client.connect();
  onTestFinished(() => client.end());
  expect((await partitionByMerchant(client, TABLES)).sort()).toEqual(WITHOUT_MERCHANT);

  const { app, apiKey, merchant } = await serviceOn(server.url('pcs'));
  const statements = recordStatements();
  const id = await merchant.pay();
  const reference = { transactionId: await merchant.init() };
  expect(await merchant.post('/payments/multibanco', reference, { 'idempotency-key': 'k' })).toMatchObject(
    OK,
  );
  expect(await merchant.post('/payments/multibanco', reference, { 'idempotency-key': 'k' })).toMatchObject(
    OK,
  );
  const session = await fetch(`${app.url}/checkout/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(ORDER),
  });
  const { url } = (await session.json()) as { url: string };
  const body = new URLSearchParams({ method: 'MBWAY', phoneNumber: '911000001' });
  expect(await fetch(url, { method: 'POST', body, redirect: 'manual' })).toMatchObject({ status: 303 });
  await until(async () => (await ask(server, SESSION_PAID)).length > 0, 'the payment of the session');
  expect(await fetch(url)).toMatchObject(OK);
  await until(async () => (await ask(server, DELIVERED)).length > 0, 'the delivery');
  expect(await merchant.status(id)).toMatchObject({ status: 'paid' });

  const crossing: string[] = [];
  let pruned = 0;
  for (const [text, values] of [...statements]) {
    if (text === DELIVERED || text === SESSION_PAID || !/^\s*(select|insert|update|delete|with)/i.test(text))
      continue;
    if (!TABLES.some((table) => new RegExp(`\\b${table}\\b`).test(text))) continue;
    if (ACROSS.some((pattern) => pattern.test(text))) continue;
    const partitions = await partitionsOf(client, text, values);
    if (partitions.length > 1) crossing.push(text);
    if (partitions.length === 1) pruned++;
  }
  expect(crossing, 'statements that need merchant_id, or a place in SHARDING.md').toEqual([]);
  expect(pruned).toBeGreaterThan(9);
});

const DELIVERED = "select id from deliveries where state = 'delivered'";
const SESSION_PAID = 'select id from transactions where session_paid = 1';

/** Foreign keys of tables that have no `merchant_id`; SHARDING.md lists them. */
const WITHOUT_MERCHANT = [
  'delivery_attempts.delivery_attempts_delivery_id_fkey',
  'lead_erasure_waits.lead_erasure_waits_lead_id_fkey',
  'lead_erasure_waits.lead_erasure_waits_transaction_id_fkey',
  'receipt_notes.receipt_notes_receipt_id_fkey',
  'reported_refunds.reported_refunds_receipt_id_fkey',
];

/** The statements that SHARDING.md lists as going across merchants. */
const ACROSS = [
  // The checks that are due, and the transactions whose deadline has passed.
  /^select .* from "attempts" where "state" = '/,
  /^select "id", "merchant_id" from "transactions" where "deadline_at" <=/,
  // The queue of the dispatcher, and the claims of dead processes.
  /^(select|update) .*"deliveries".* "state" = 'due' and "blocked" = [02]/,
  /^\s*with recursive walk/,
  // Events without a sequence number, and the position of a new one among them.
  /^select "id", "merchant_id" from "events" where "sequence" is null/,
  /^insert into "events"/,
  // What the bank names: an order id or a request id, and a payment's identity.
  /^(select|update) .* where "(bank_order_id|request_id|identity)" = /,
  // The index of the search, and retention.
  /^\s*select id from "(leads|transactions)" where id >= /,
  /^delete from /,
];
