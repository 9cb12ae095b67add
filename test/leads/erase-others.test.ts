import { expect, test } from 'vitest';
import { eraseLead, viewErasure } from '../../src/erasure/erase-lead.ts';
import { stepErasure } from '../../src/erasure/step.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { setRefund } from '../../src/payments/refunds/set-refund.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import { indexStep } from '../../src/search/indexer.ts';
import { OPERATOR } from '../payments/setup.ts';
import { startService, startWithMerchant, type TestMerchant } from '../support/harness.ts';
import { insertRows, selectRow, selectRows, updateRows } from '../support/rows.ts';
import { dying } from './support.ts';

const PERSON = { name: 'Brites Pombal', email: 'brites.pombal@correio.pt' };
const ORDER = { customer: PERSON, shippingAddress: { line1: 'Rua das Andorinhas 7', city: 'Porto' } };
const IBAN = 'PT50000201231234567890154';
const TABLES = [
  ...(['transactions', 'attempts', 'receipts', 'receipt_notes', 'refunds', 'refund_history'] as const),
  ...(['reported_refunds', 'leads'] as const),
];

test('an erasure changes nothing of another person, nor of the same person at another merchant', async () => {
  const service = await startService();
  const { deps } = service.app;
  /** A failed order, and a paid and refunded one with texts about the person. Resolves to the lead and all ids. */
  const order = async (shop: TestMerchant, customer = PERSON) => {
    const failed = await shop.push('911000002', { ...ORDER, customer, orderId: 'FAILED' });
    await shop.reaches(failed, 'failed');
    const { id, mb } = await shop.reference({ ...ORDER, customer, orderId: 'PAID' });
    await service.control('/multibanco', mb);
    await shop.reaches(id, 'paid');
    const account = { iban: IBAN, name: PERSON.name, reason: PERSON.email };
    const whole = { of: { transactionId: id as Id<'tx'> }, amount: null };
    const refundId = await createRefund(deps, OPERATOR, { ...whole, ...account });
    await settleRefund(deps, { refundId, outcome: 'done', note: `${customer.name}: ${PERSON.name}` });
    const receipt = await selectRow(deps.db, 'receipts', { transaction_id: id });
    const of = { receipt_id: receipt.id, merchant_id: shop.merchantId };
    await insertRows(deps.db, 'receipt_notes', { ...of, id: deps.ids('rno'), text: PERSON.name });
    const reportId = deps.ids('rep');
    const report = { id: reportId, identity: reportId, account_id: receipt.account_id, reported_at: 1 };
    await insertRows(deps.db, 'reported_refunds', { ...of, ...report, note: PERSON.name });
    const leadId = (await selectRow(deps.db, 'transactions', { id })).lead_id as Id<'led'>;
    return { leadId, refundId, ids: [leadId, failed, id, receipt.id, refundId] };
  };
  const shop = await service.merchant();
  const { leadId, refundId, ids } = await order(shop);
  await order(await service.merchant());
  await order(shop, { name: 'Outra Pessoa', email: 'outra@correio.pt' });
  const others = async () => {
    const tables = await Promise.all(TABLES.map((table) => selectRows(deps.db, table)));
    return tables.map((rows) =>
      rows.filter((row) => !Object.values(row).some((value) => ids.includes(String(value)))),
    );
  };
  const before = await others();
  expect(before.map((rows) => rows.length >= 2)).not.toContain(false);
  await eraseLead(deps, leadId);
  expect(await others()).toEqual(before);
  const history = await selectRows(deps.db, 'refund_history', { refund_id: refundId });
  expect(history.map(({ note }) => note)).toEqual(['[erased]', '[erased]: [erased]']);
});

test('orders of a person under another name, open payments and due deliveries are erased too, and counted once', async () => {
  const { deps, merchant: shop } = await startWithMerchant();
  const id = await shop.pay({ customer: { ...PERSON, name: 'Outra' } });
  const { lead_id } = await selectRow(deps.db, 'transactions', { id });
  const key = { lead_id: lead_id as Id<'led'>, merchant_id: shop.merchantId };
  const receipt = await selectRow(deps.db, 'receipts', { transaction_id: id });
  const of = { receipt_id: receipt.id, merchant_id: shop.merchantId };
  await insertRows(deps.db, 'receipt_notes', { ...of, id: deps.ids('rno'), text: `É de ${PERSON.name}.` });
  for (let orders = 0; orders < 29; orders++) await shop.init(ORDER);
  await updateRows(
    deps.db,
    'deliveries',
    { state: 'due', next_attempt_at: Date.now() + DAY_MS },
    { transaction_id: id },
  );
  await eraseLead(deps, key.lead_id);
  expect(await selectRows(deps.db, 'receipt_notes', of)).toMatchObject([{ text: 'É de [erased].' }]);

  // A day later, as if the orders had got the data again, which was indexed.
  const clock = { ...deps.clock, now: () => Date.now() + DAY_MS + 1 };
  const customer = JSON.stringify(PERSON);
  await updateRows(deps.db, 'transactions', { customer }, { lead_id: key.lead_id });
  while (await indexStep({ db: deps.db, clock }));
  await stepErasure({ db: deps.db, clock }, key);
  while (await stepErasure({ db: deps.db, clock }, key));
  expect(await selectRows(deps.db, 'transactions', { customer })).toEqual([]);
  const documents = await deps.db.read.selectFrom('search_documents').select('text').execute();
  expect(documents.filter(({ text }) => text.includes('pombal'))).toEqual([]);
  expect(await viewErasure(deps, key.lead_id)).toMatchObject({ state: 'waiting', transactionsDone: 30 });
});

test('an account that is set after the last repetition of an erasure is erased with the settlement of its refund', async () => {
  const { service, deps, merchant: shop } = await startWithMerchant();
  for (const outcome of ['done', 'failed'] as const) {
    const { id, mb } = await shop.reference({ ...ORDER, orderId: outcome });
    await service.control('/multibanco', mb);
    await shop.reaches(id, 'paid');
    const of = { transactionId: id as Id<'tx'> };
    const refundId = await createRefund(deps, OPERATOR, { of, amount: null });
    const { lead_id } = await selectRow(deps.db, 'transactions', { id });
    await eraseLead(deps, lead_id as Id<'led'>);
    await updateRows(deps.db, 'lead_erasures', { cursor: null, due_at: null }, { lead_id });
    await setRefund(deps, OPERATOR, { refundId, iban: IBAN, name: PERSON.name });
    await settleRefund(deps, { refundId, outcome, note: 'transferred' });
    expect(await selectRow(deps.db, 'refunds', { id: refundId })).toMatchObject({ iban: null, name: null });
  }
});

test('the name that only the lead has is erased from the notes of its orders, also when the process dies', async () => {
  const { deps, merchant: shop } = await startWithMerchant();
  const id = await shop.pay({ customer: { ...PERSON, name: 'Outra' } });
  const receipt = await selectRow(deps.db, 'receipts', { transaction_id: id });
  const of = { receipt_id: receipt.id, merchant_id: shop.merchantId };
  await insertRows(deps.db, 'receipt_notes', { ...of, id: deps.ids('rno'), text: `É de ${PERSON.name}.` });
  await shop.init(ORDER);
  const { lead_id } = await selectRow(deps.db, 'transactions', { id });
  const key = { lead_id: lead_id as Id<'led'>, merchant_id: shop.merchantId };
  await expect(eraseLead(dying(deps), key.lead_id)).rejects.toThrow('the process died');
  while (await stepErasure(deps, key));
  expect(await selectRows(deps.db, 'receipt_notes', of)).toMatchObject([{ text: 'É de [erased].' }]);
});

test('a payment without a lead is erased by its own id, under a lead that counts it', async () => {
  const { deps, merchant: shop } = await startWithMerchant();
  await shop.pay({ customer: { name: 'Ana', email: 'ana@shop.pt' } });
  const id = (await shop.pay({ customer: { name: PERSON.name }, amount: 12.5 })) as Id<'tx'>;
  const other = await shop.pay({ customer: { name: PERSON.name } });
  const phoneOf = async (transaction_id: string) =>
    (await selectRow(deps.db, 'attempts', { transaction_id })).phone_number;
  const phone = await phoneOf(id);
  expect(phone).not.toBeNull();

  const erased = await eraseLead(deps, id);
  expect(erased).toMatchObject({ state: 'done', transactionsDone: 1 });
  expect(await eraseLead(deps, id)).toEqual(erased);

  const { customer, lead_id, status } = await selectRow(deps.db, 'transactions', { id });
  expect([customer, lead_id, status, await phoneOf(id)]).toEqual([null, erased.leadId, 'paid', null]);
  expect(await selectRow(deps.db, 'leads', { id: erased.leadId })).toMatchObject({
    ...{ identity: `erased:${lead_id}`, orders_count: 1, paid_count: 1, paid_cents: 1250 },
  });
  expect(await phoneOf(other)).toBe(phone);
});

test('an open payment without a lead counts for the lead of its erasure once it is paid', async () => {
  const { service, deps, merchant: shop } = await startWithMerchant();
  await shop.pay({ customer: { name: 'Ana', email: 'ana@shop.pt' } });
  const { id, mb } = await shop.reference({ customer: { name: PERSON.name } });
  const { leadId, state } = await eraseLead(deps, id as Id<'tx'>);
  expect(state).toBe('waiting');
  expect(await selectRow(deps.db, 'leads', { id: leadId })).toMatchObject({ paid_count: 0 });
  await service.control('/multibanco', mb);
  await shop.reaches(id, 'paid');
  expect(await selectRow(deps.db, 'leads', { id: leadId })).toMatchObject({
    paid_count: 1,
    paid_cents: 1999,
  });
});

test('a payment of a lead is erased by the lead alone, with its other payments', async () => {
  const service = await startService();
  const { deps } = service.app;
  const id = (await (await service.merchant()).init(ORDER)) as Id<'tx'>;
  const { lead_id } = await selectRow(deps.db, 'transactions', { id });
  await expect(eraseLead(deps, id)).rejects.toThrow(`lead erase ${lead_id}`);
  expect(await selectRow(deps.db, 'leads')).toMatchObject({ id: lead_id, name: PERSON.name });
  await expect(eraseLead(deps, 'tx_unknown')).rejects.toThrow('there is no transaction tx_unknown');
});
