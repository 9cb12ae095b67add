import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import { recordAudit } from '../../src/audit/store.ts';
import { eraseLead, viewErasure } from '../../src/erasure/erase-lead.ts';
import { createErasureJob } from '../../src/erasure/job.ts';
import { type Clock, DAY_MS } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { searchLeads } from '../../src/leads/search.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { setRefund } from '../../src/payments/refunds/set-refund.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import { indexStep } from '../../src/search/indexer.ts';
import { engine } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { openReceiver } from '../support/open-receiver.ts';
import { insertRows, selectRow, selectRows, updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { dying } from './support.ts';

const PERSON = { name: 'Brites Pombal-Rã', email: 'Brites.Pombal@Correio.pt', phone: '911 000 001' };
/** Every spelling of the personal data. */
const TRACES = [/brites/iu, /pombal/iu, /911[\s.-]?000[\s.-]?001/u, /Rua das Andorinhas/u, /FB-CLICK-7/u];
const ORDER = {
  customer: { ...PERSON, address: 'Rua das Andorinhas 7', city: 'Porto' },
  shippingAddress: { line1: 'Rua das Andorinhas 7', city: 'Porto' },
  items: [{ id: 'P', name: 'Almofada com o nome Brites', quantity: 1, priceInCents: 1999 }],
  trackingParameters: { utm_campaign: 'natal', fbclid: 'FB-CLICK-7' },
};

const FIVE_MINUTES_MS = 300_000;
const OPERATOR = { merchantId: null, operator: true };
const IBAN = 'PT50000201231234567890154';

const receiver = await openReceiver((_request, response) => {
  response.end('{"mensagem":"Obrigado, Brites Pombal-Rã (brites.pombal@correio.pt)"}');
});
afterAll(() => receiver.close());
const service = await startService({ whenOver: afterAll, webhookCa: receiver.ca });
const merchant = await service.merchant({ webhookUrl: receiver.url });

const erase = (leadId: Id<'led'>) => eraseLead(service.app.deps, leadId);

async function leadOf(transactionId: string): Promise<Id<'led'>> {
  const row = await selectRow(service.app.deps.db, 'transactions', { id: transactionId });
  if (row.lead_id === null) throw new Error('no lead');
  return row.lead_id;
}

/** Every text of every table, by table and column. */
async function everyText(): Promise<{ where: string; text: string }[]> {
  const db = service.app.deps.db.read;
  const texts: { where: string; text: string }[] = [];
  for (const { name } of await db.introspection.getTables()) {
    // It holds no text; the last assertions of the first test search it.
    if (name === 'search_index') continue;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    for (const [column, value] of rows.flatMap((row) => Object.entries(row)))
      if (value !== null) texts.push({ where: `${name}.${column}`, text: String(value) });
  }
  return texts;
}

const traces = async () =>
  (await everyText())
    .filter(({ text }) => TRACES.some((trace) => trace.test(text)))
    .map(({ where }) => where);

/** Rows of the search index with a part of the name. */
async function indexed(): Promise<number> {
  const { read } = service.app.deps.db;
  const query =
    engine === 'sqlite'
      ? sql`select rowid from search_index where search_index match '"bri"'`
      : sql`select id from search_documents where text like '%bri%'`;
  return (await query.execute(read)).rows.length;
}

const deliveredCount = async () =>
  (await selectRows(service.app.deps.db, 'deliveries', { state: 'delivered' })).length;

const delivered = (count: number) =>
  until(async () => (await deliveredCount()) >= count || null, `${count} deliveries`);

test('an erasure leaves no trace in any text of the database and changes no amount or state', async () => {
  const id = await merchant.pay({ ...ORDER, amount: 19.99 });
  const unpaid = await merchant.push('911000002', { ...ORDER, orderId: 'ORDER-2', amount: 5 });
  await merchant.reaches(unpaid, 'failed');
  await delivered(2);
  const { db } = service.app.deps;
  // Text that a bank or an operator can add.
  const { bank_order_id: orderId } = await selectRow(db, 'attempts', { transaction_id: id });
  const row = JSON.stringify({ orderId, phone: 911000001, payer: 'BRITES  pombal-rã' });
  await updateRows(db, 'receipts', { record: row });
  await updateRows(db, 'bank_hints', { params: row });
  const receipt = await selectRow(db, 'receipts');
  const words = 'Liguei a Brites Pombal-Rã, +351 911 000 001.';
  const of = { receipt_id: receipt.id, merchant_id: merchant.merchantId };
  await insertRows(db, 'receipt_notes', { ...of, id: 'rno_1', text: words });
  const entry = { action: 'receipt.noted', merchantId: null, target: receipt.id } as const;
  await db.unit((tx) => recordAudit(tx, service.app.deps, { ...entry, details: { note: words } }));
  const clock = { now: () => Date.now() + 120_000 } as Clock;
  while (await indexStep({ db, clock }));
  expect(await indexed()).toBeGreaterThan(0);
  expect(new Set(await traces())).toEqual(
    new Set([
      'search_documents.text',
      ...['transactions.customer', 'transactions.shipping_address', 'transactions.items'],
      ...['transactions.tracking', 'attempts.phone_number', 'leads.identity', 'leads.email', 'leads.phone'],
      ...['leads.name', 'leads.items', 'leads.tracking', 'delivery_attempts.response'],
      ...['receipts.record', 'receipt_notes.text', 'bank_hints.params', 'audit_log.details'],
    ]),
  );
  const before = [await merchant.status(id), await merchant.status(unpaid)];
  const leadId = await leadOf(id);

  expect(await erase(leadId)).toMatchObject({ state: 'done', transactionsDone: 2, transactionsLeft: 0 });

  expect(await traces()).toEqual([]);
  expect(await indexed()).toBe(0);
  expect([await merchant.status(id), await merchant.status(unpaid)]).toEqual(before);
  const lead = await selectRow(db, 'leads', { id: leadId });
  expect(lead).toMatchObject({ orders_count: 2, asked_cents: 2499, paid_count: 1, paid_cents: 1999 });
  expect((await selectRow(db, 'receipt_notes')).text).toBe('Liguei a [erased], [erased].');
  const { record } = await selectRow(db, 'receipts');
  expect(JSON.parse(record)).toEqual({ orderId, phone: '[erased]', payer: '[erased]' });
});

test('repeated erasures write one audit entry, with counts and without personal data', async () => {
  const [done] = (await searchLeads(service.app.deps, { state: 'erased' }, { limit: 10 })).rows;
  const leadId = done?.id ?? 'led_none';
  expect(await erase(leadId)).toMatchObject({ state: 'done', transactionsDone: 2 });
  const lines = await selectRows(service.app.deps.db, 'audit_log', { action: 'lead.erased' });
  expect(lines).toMatchObject([
    { target: leadId, merchant_id: merchant.merchantId, details: '{"orders":2,"paid":1}' },
  ]);
  await expect(erase('led_unknown')).rejects.toThrow('there is no lead led_unknown');
});

test('a new order of an erased person creates a new lead', async () => {
  const id = await merchant.init({ ...ORDER, orderId: 'ORDER-3' });
  const found = await searchLeads(service.app.deps, { text: 'brites' }, { limit: 10 });
  expect(found.rows).toMatchObject([{ id: await leadOf(id), orders_count: 1 }]);
  await erase(await leadOf(id));
});

test('an open payment continues and is erased again once it is finished', async () => {
  const { deps } = service.app;
  const id = await merchant.push('919000001', { ...ORDER, orderId: 'ORDER-4', amount: 12.5 });
  const leadId = await leadOf(id);
  expect(await erase(leadId)).toMatchObject({ state: 'waiting', transactionsDone: 1 });
  // The open push keeps its phone number.
  const push = (phoneNumber: string) => merchant.post('/payments/mbway', { transactionId: id, phoneNumber });
  expect((await push('919000001')).status).toBe(200);
  expect(await push('919000002')).toMatchObject({ status: 400, body: { code: 'MBWAY_PUSH_OPEN' } });
  const events = receiver.requests.length;
  await service.control('/mbway', { phoneNumber: '919000001', outcome: 'accept' });
  expect(await merchant.reaches(id, 'paid')).toMatchObject({ amount: 12.5, paymentMethod: 'MBWAY' });
  await until(() => receiver.requests.length > events || null, 'the webhook');
  const due = () => selectRows(deps.db, 'deliveries', { state: 'due' });
  await until(async () => (await due()).length === 0, 'the delivery to end');
  const [lead] = (await searchLeads(deps, { state: 'erased' }, { limit: 10 })).rows;
  expect(lead).toMatchObject({ id: leadId, paid_count: 1, paid_cents: 1250, erasure: 'waiting' });

  const begun = sql`update lead_erasures set started_at = ${Date.now() - 60 * DAY_MS} where lead_id = ${leadId}`;
  await deps.db.unit((tx) => begun.execute(tx));
  await goOnAfter(FIVE_MINUTES_MS + 1);
  expect(await viewErasure(deps, leadId)).toMatchObject({ state: 'done' });
  expect(await selectRow(deps.db, 'lead_erasures', { lead_id: leadId })).not.toHaveProperty('due_at', null);
  expect(await traces()).toEqual([]);
  expect((await everyText()).filter(({ text }) => text.includes('919000001'))).toEqual([]);
});

test('late money for an erased order is recorded, announced and counted', async () => {
  const { id, mb } = await merchant.reference({ ...ORDER, orderId: 'ORDER-5', amount: 7 });
  await merchant.post('/payments/mbway', { transactionId: id, phoneNumber: '911000002' });
  const leadId = await leadOf(id);
  await erase(leadId);
  const deliveries = await deliveredCount();
  await service.control('/multibanco', mb);
  expect(await merchant.reaches(id, 'paid')).toMatchObject({ paymentMethod: 'REFERENCE', amount: 7 });
  await delivered(deliveries + 1);
  await goOnAfter(DAY_MS + 1);
  expect(await traces()).toEqual([]);
});

test('an account that is set after an erasure stays until its transfer is settled, and stops no repetition', async () => {
  const { deps } = service.app;
  const { id, mb } = await merchant.reference({ ...ORDER, orderId: 'ORDER-6', amount: 7 });
  await service.control('/multibanco', mb);
  await merchant.reaches(id, 'paid');
  const of = { transactionId: id as Id<'tx'> };
  const refundId = await createRefund(deps, OPERATOR, { of, amount: null, iban: IBAN });
  const unpaid = await merchant.push('911000002', { ...ORDER, orderId: 'ORDER-7', amount: 8 });
  await merchant.reaches(unpaid, 'failed');
  const leadId = await leadOf(id);
  await erase(leadId);
  const account = async () => {
    const { iban, name } = await selectRow(deps.db, 'refunds', { id: refundId });
    return { hasIban: iban !== null, name };
  };
  expect(await account()).toEqual({ hasIban: false, name: null });
  await setRefund(deps, OPERATOR, { refundId, iban: IBAN, name: 'Outra Conta' });
  await goOnAfter(DAY_MS + 1);
  const customer = JSON.stringify(PERSON);
  await updateRows(deps.db, 'transactions', { customer }, { id: unpaid as Id<'tx'> });
  for (const days of [2, 60]) {
    await goOnAfter(days * DAY_MS + 2);
    await goOnAfter(days * DAY_MS + FIVE_MINUTES_MS + 1000);
    expect(await account()).toEqual({ hasIban: true, name: 'Outra Conta' });
    expect(await traces()).toEqual([]);
  }
  await settleRefund(deps, { refundId, outcome: 'done', note: 'transferred' });
  await goOnAfter(61 * DAY_MS);
  expect(await account()).toEqual({ hasIban: false, name: null });
  expect(await viewErasure(deps, leadId)).toMatchObject({ state: 'done', transactionsDone: 2 });
  expect((await everyText()).filter(({ text }) => text.includes('Outra Conta'))).toEqual([]);
});

test('a person with many orders is erased in bounded steps, also a day after a crash', async () => {
  const { deps } = service.app;
  for (let orders = 0; orders < 60; orders++) {
    await merchant.init({ ...ORDER, orderId: `MANY-${orders}`, amount: 1 });
  }
  const [lead] = (await searchLeads(deps, { text: 'brites' }, { limit: 10 })).rows;
  const leadId = lead?.id ?? 'led_none';
  await expect(eraseLead(dying(deps), leadId)).rejects.toThrow('the process died');
  expect(await viewErasure(deps, leadId)).toMatchObject({
    state: 'running',
    transactionsDone: 25,
    transactionsLeft: 35,
  });
  await goOnAfter(DAY_MS + 1);
  expect(await viewErasure(deps, leadId)).toMatchObject({ transactionsDone: 60, transactionsLeft: 0 });
  expect(await traces()).toEqual([]);
});

test('an erasure that fails stops no other, after which the log of the database is emptied', async () => {
  const { deps } = service.app;
  const begun = async (email: string, due_at: number) => {
    const id = (await merchant.init({ customer: { name: 'Ana', email } })) as Id<'tx'>;
    const lead_id = await leadOf(id);
    await erase(lead_id);
    await updateRows(deps.db, 'lead_erasures', { cursor: '', due_at }, { lead_id });
    return { id, lead_id };
  };
  const [broken, sound] = [await begun('broken@mail.pt', 1), await begun('sound@mail.pt', 2)];
  await updateRows(deps.db, 'transactions', { customer: '{' }, { id: broken.id });
  const emptyLog = vi.fn(async () => {});
  const db = Object.create(deps.db, { emptyLog: { value: emptyLog } });
  const job = createErasureJob({ ...deps, db, clock: { ...deps.clock, after: () => () => {} } });
  job.start();
  await until(() => emptyLog.mock.calls.length > 0, 'the end of the run');
  await job.stop();
  const dueAt = async ({ lead_id }: typeof sound) =>
    (await selectRow(deps.db, 'lead_erasures', { lead_id })).due_at ?? 0;
  expect(await dueAt(broken)).toBe(1);
  expect(await dueAt(sound)).toBeGreaterThan(2);
});

/** Runs the erasure job as if `ms` had passed. */
async function goOnAfter(ms: number): Promise<void> {
  const { deps } = service.app;
  const later = { ...deps.clock, now: () => deps.clock.now() + ms };
  const erasures = createErasureJob({ ...deps, clock: { ...later, after: () => () => {} } });
  erasures.start();
  await until(async () => {
    const due = await deps.db.read
      .selectFrom('lead_erasures')
      .select('lead_id')
      .where('due_at', '<', later.now())
      .execute();
    return due.length === 0 || null;
  }, 'the erasures to be gone on with');
  await erasures.stop();
}
