import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { openDatabase } from '../../src/db/open.ts';
import { eraseLead } from '../../src/erasure/erase-lead.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { assignReceipt } from '../../src/payments/exceptions/assign-receipt.ts';
import { creditTransaction } from '../../src/payments/exceptions/credit-transaction.ts';
import { noteReceipt } from '../../src/payments/exceptions/note-receipt.ts';
import { keepReceipt, markReturned } from '../../src/payments/exceptions/settle-receipt.ts';
import { initTransaction } from '../../src/payments/init.ts';
import { startMbway } from '../../src/payments/mbway.ts';
import { draftTransfers } from '../../src/payments/refunds/export-refunds.ts';
import { retryRefund } from '../../src/payments/refunds/retry-refund.ts';
import { setRefund } from '../../src/payments/refunds/set-refund.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import { listRefunds, showRefund } from '../../src/payments/refunds/view.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { daysBetween, statementPage } from '../../src/payments/statement/statement.ts';
import { receiptTotals, refundTotals } from '../../src/payments/statement/totals-store.ts';
import { createSession, postForm } from '../checkout/support.ts';
import { refundKit } from '../payments/refund-kit.ts';
import { OPERATOR, OWN_LIST, SETTINGS, setup } from '../payments/setup.ts';
import { partitionByMerchant, partitionsOf } from '../support/partitioned.ts';
import { until } from '../support/until.ts';
import { ask, serverOfTest, serviceOn } from './outage-kit.ts';

const OK = { status: 200 };

/** The tables of payments, refunds, deliveries and leads. */
const TABLES = [
  ...['transactions', 'attempts', 'receipts', 'leads', 'store_domains', 'idempotency'],
  ...['daily_totals', 'daily_method_totals', 'events', 'event_counters', 'deliveries', 'delivery_attempts'],
  ...[
    'receipt_notes',
    'refunds',
    'refund_history',
    'reported_refunds',
    'lead_erasures',
    'lead_erasure_waits',
  ],
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

/** A server with partitioned tables, and the statements that this process sends to it. */
async function partitionedServer() {
  const server = await serverOfTest();
  const url = server.url('pcs');
  await (await openDatabase(url)).close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await partitionByMerchant(client, TABLES);
  const statements = recordStatements();
  /** Expects that each statement touches one partition, and returns how many there were. */
  const pruned = async () => {
    const crossing: string[] = [];
    let count = 0;
    for (const [text, values] of [...statements]) {
      if (!/^\s*(select|insert|update|delete|with)/i.test(text)) continue;
      // selectRows orders its rows so.
      if (text.endsWith(' order by 1') || OWN.includes(text)) continue;
      if (!TABLES.some((table) => new RegExp(`\\b${table}\\b`).test(text))) continue;
      if (ACROSS.some((pattern) => pattern.test(text))) continue;
      const partitions = await partitionsOf(client, text, values);
      if (partitions.length > 1) crossing.push(text);
      if (partitions.length === 1) count++;
    }
    expect(crossing, 'statements that need merchant_id, or a place in SHARDING.md').toEqual([]);
    return count;
  };
  return { server, url, pruned };
}

test('init, both methods, a checkout session, payment and delivery run on tables partitioned by merchant, and each statement touches one partition', async () => {
  const { server, url: database, pruned } = await partitionedServer();
  const { app, merchant } = await serviceOn(database);
  const id = await merchant.pay();
  const reference = { transactionId: await merchant.init() };
  const key = { 'idempotency-key': 'k' };
  expect(await merchant.post('/payments/multibanco', reference, key)).toMatchObject(OK);
  expect(await merchant.post('/payments/multibanco', reference, key)).toMatchObject(OK);
  const { url } = (await createSession(app, merchant)).body;
  const step = { method: 'MBWAY', phoneNumber: '911000001' };
  expect(await postForm(url, step)).toMatchObject({ status: 303 });
  await until(async () => (await ask(server, SESSION_PAID)).length > 0, 'the payment of the session');
  expect(await fetch(url)).toMatchObject(OK);
  await until(async () => (await ask(server, DELIVERED)).length > 1, 'the deliveries');
  expect(await merchant.status(id)).toMatchObject({ status: 'paid' });
  expect(await pruned()).toBeGreaterThan(9);
});

test("the operator's actions, refunds and an erasure run on tables partitioned by merchant, and each statement touches one partition", async () => {
  const { server, url, pruned } = await partitionedServer();
  const kit = await setup(url);
  const { deps, merchant, settlement, bank, init, referred, pass, receipts, status } = kit;
  const { create, send, notify, port, row, record, dismiss } = refundKit(kit);
  const stray = async (amount: number) => {
    const known = new Set((await receipts()).map(({ id }) => id));
    bank.foreign(cents(amount));
    await pass(SETTINGS.reconcileMs);
    const found = (await receipts()).find(({ id }) => !known.has(id));
    if (found?.request_id == null) throw new Error('no receipt');
    return { id: found.id, requestId: found.request_id };
  };
  const assign = (receiptId: Id<'rcp'>, transactionId: Id<'tx'>) =>
    assignReceipt(deps, { receiptId, transactionId, note: 'assigned' });

  // Money below the amount is refunded in part, reported, noted and assigned, and credited with more.
  const [{ id: short }, { id: more }] = [await stray(400), await stray(800)];
  await noteReceipt(deps, OPERATOR, { receiptId: more, text: 'Whose is it?', internal: true });
  const credited = await init();
  await assign(short, credited);
  await assign(more, credited);
  await creditTransaction(deps, credited);
  const refunded = await create({ receiptId: more }, 100);
  await settleRefund(deps, { refundId: refunded, outcome: 'done', note: 'transferred' });
  expect(await status(credited)).toBe('paid');

  // What is known of money that fits nothing follows the receipt to its transaction.
  const { id: over, requestId } = await stray(1500);
  await notify(requestId, 50);
  const early = await create({ receiptId: over }, 200);
  await settleRefund(deps, { refundId: early, outcome: 'failed', note: 'came back' });
  await dismiss();
  const overpaid = await init();
  await assign(over, overpaid);
  await keepReceipt(deps, OPERATOR, { receiptId: over, note: 'kept' });
  const retried = await retryRefund(deps, OPERATOR, early);
  await setRefund(deps, OPERATOR, { refundId: retried, iban: 'PT50000201231234567890154', name: 'Ana' });
  const debtor = { sepaDebtorName: 'Loja', sepaDebtorIban: 'PT50000201231234567890154' };
  await (await draftTransfers({ ...deps, settings: { ...SETTINGS, ...debtor } }, false)).mark();
  expect(await row(retried)).toMatchObject({ merchant_id: merchant.id, exported_at: deps.clock.now() });
  const { id: returned } = await stray(100);

  // The list of another account shows a payment first; its note follows it as well.
  const matched = await referred();
  const { merchantId: neighbour } = await createMerchant(deps, { name: 'B', domains: ['b.pt'] });
  const { account: other } = await setBankAccount(deps, { merchantId: neighbour, credentials: OWN_LIST });
  const [reference] = bank.references;
  if (reference === undefined) throw new Error('no reference');
  const payment = { ...bank.foreign(cents(1000)), bankOrderId: reference.orderId, identity: 'elsewhere' };
  bank.rows.pop();
  await settlement.recordPayments(other, [payment]);
  const elsewhere = (await receipts()).find(({ identity }) => identity === 'elsewhere');
  if (elsewhere === undefined) throw new Error('no receipt');
  await noteReceipt(deps, OPERATOR, { receiptId: elsewhere.id, text: 'Whose is it?', internal: true });
  await settlement.recordPayments(kit.account, [payment]);
  expect(await status(matched)).toBe('paid');
  await markReturned(deps, OPERATOR, { receiptId: returned, amountCents: 100, note: 'returned' });

  // A push is paid, held, released and refunded by the bank, here and in its own back office.
  await setMerchant(deps, merchant.id, { hold: true, refundEvents: true });
  const { transactionId } = await initTransaction(
    deps,
    merchant,
    { orderId: 'O', amount: 10, storeUrl: 'https://shop.pt', customer: { email: 'ana@shop.pt' } } as never,
    { setHeader() {}, origin: undefined, referer: undefined, idempotencyKey: undefined },
  );
  const held = transactionId as Id<'tx'>;
  await startMbway(deps, merchant, { transactionId, phoneNumber: '912345678' });
  const push = bank.pushes.at(-1);
  if (push === undefined) throw new Error('no push');
  bank.answer(push, 'paid');
  await pass(SETTINGS.inquiryMs);
  await releaseTransaction(deps, held);
  const accepted = await create({ transactionId: held }, 300);
  await send(accepted);
  await port.applyOutcome(accepted, { kind: 'accepted', refundId: 'bank-1' });
  await notify(push.requestId, 300);
  expect(await row(accepted)).toMatchObject({ state: 'done' });
  await notify(push.requestId, 200);
  await notify(push.requestId, 150);
  await record({ settled_at: null });
  await dismiss({ settled_at: null });
  expect((await showTransaction(deps, held)).refunds).toHaveLength(2);
  expect((await showRefund(deps, retried)).history).toHaveLength(3);
  expect(await listRefunds(deps, { merchantId: merchant.id, limit: 10 })).toHaveLength(5);

  const days = daysBetween('2026-03-01', '2026-04-30');
  if (days === null) throw new Error('no days');
  const filter = { merchantId: merchant.id, ...days, unheld: true };
  expect((await statementPage(deps.db.read, filter, null)).rows).toHaveLength(8);
  const span = [{ day: '2026-03-27', from_at: days.from, until_at: days.until }];
  expect(await receiptTotals(deps.db.read, span, filter)).toMatchObject([{ count: 5 }]);
  expect(await refundTotals(deps.db.read, span, filter)).toMatchObject([{ refund_cents: 600 }]);

  const [lead] = await deps.db.read.selectFrom('leads').select('id').execute();
  if (lead === undefined) throw new Error('no lead');
  expect(await eraseLead(deps, lead.id)).toMatchObject({ transactionsDone: 1, transactionsLeft: 0 });
  expect(await pruned()).toBeGreaterThan(40);
  for (const table of ['refunds', 'refund_history', 'receipt_notes', 'reported_refunds']) {
    const of =
      table === 'refund_history' ? 'refunds r on r.id = refund_id' : 'receipts r on r.id = receipt_id';
    const sums = `select count(*)::int as n, count(*) filter (where t.merchant_id is distinct from r.merchant_id)::int
      as strange from ${table} t join ${of}`;
    expect(await ask(server, sums), table).toEqual([{ n: expect.any(Number), strange: 0 }]);
  }
});

const DELIVERED = "select id from deliveries where state = 'delivered'";
const SESSION_PAID = 'select id from transactions where session_paid = 1';
/** Statements of the tests. */
const OWN = [DELIVERED, SESSION_PAID, 'select "id" from "leads"'];

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
  // Rows named by the bank: an order id or a request id, and a payment's identity.
  /^(select|update) .* where "(bank_order_id|request_id|identity|notification)" = /,
  // Reports of refunds that arrived before their payment, which the request id names.
  /^select "report"\."id", .* from "reported_refunds" as "report"/,
  // Rows named by the operator: by id alone, before the merchant is known.
  /^select \* from "(transactions|receipts|refunds|reported_refunds|leads)" where "id" = \$1$/,
  /^select \* from "lead_erasures" where "lead_id" = \$1$/,
  /^select .* from "refunds" inner join .* where "refunds"."id" = \$1$/,
  // The responses of an erased transaction, whose attempts may be older than the column.
  /^update "delivery_attempts" set "response" = /,
  // Lists over all merchants.
  /^select .* from "refunds" (where "state" = |inner join .* where "refunds"."state" = )/,
  /^select .* from "lead_erasures" where "due_at" <= /,
  // The index of the search, and retention.
  /^select .* from "(leads|transactions|attempts)" where "(id|transaction_id)" in \(/,
  /^\s*select id from "(leads|transactions)" where id >= /,
  /^delete from /,
];
