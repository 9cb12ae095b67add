import { afterAll, expect, test } from 'vitest';
import { startService } from '../support/harness.ts';
import { selectRow, selectRows } from '../support/rows.ts';
import { effectOf, shopWithOwner, signedIn } from './support.ts';
import { cases } from './web/money-cases.ts';

// A dialog sends what it showed, and is refused when the money has changed since.

const service = await startService({ whenOver: afterAll });
const money = cases(service);
const { deps } = service.app;
const { merchant: shop, merchantId, owner } = await shopWithOwner(service);
const operator = await signedIn(service, { role: 'operator' });

const shown = async (receiptId: string) =>
  (await owner.query('refunds.ofReceipt', { merchantId, receiptId })).value;
const last = async () => (await money.receipts()).at(-1)?.id ?? '';

test('money that another operator credited since the dialog opened is not refunded too, nor retried', async () => {
  const sale = await money.reference(shop, 'PARTS');
  await sale.pay(5);
  await sale.pay(15);
  const receiptId = await last();
  const order = { merchantId, receiptId, amountCents: 1500, leftCents: 1500, closesCase: true };
  expect((await owner.mutate('refunds.create', order)).status).toBe(200);
  const { refundId } = (await shown(receiptId)).refunds[0];
  await operator.mutate('refunds.settle', { refundId, outcome: 'failed', note: 'returned' });
  const credit = { transactionId: sale.id, receivedCents: 2000, note: '' };
  expect((await operator.mutate('exceptions.credit', credit)).status).toBe(200);
  expect((await owner.mutate('refunds.create', order)).error.reason).toBe('case_settled');
  const retry = { merchantId, refundId, closesCase: true };
  expect((await owner.mutate('refunds.retry', retry)).error.reason).toBe('case_settled');
  expect(await shown(receiptId)).toMatchObject({ leftCents: 1500, closesCase: false });
});

test('money that was assigned since the dialog of its refund opened is not refunded too, although its case stays open', async () => {
  const transactionId = await shop.init({ orderId: 'OVERPAID', amount: 10 });
  const receiptId = await money.stranger(15);
  const refund = { merchantId: null, receiptId, amountCents: 1500, leftCents: 1500, closesCase: true };
  const unmatched = { ...refund, transactionStatus: null };
  const { value: refundId } = await operator.mutate('refunds.create', unmatched);
  const failed = { refundId, outcome: 'failed', note: 'returned' };
  expect((await operator.mutate('refunds.settle', failed)).status).toBe(200);
  const { value: preview } = await operator.query('exceptions.preview', { receiptId, transactionId });
  const assign = { receiptId, transactionId, note: '', shown: effectOf(preview) };
  expect((await operator.mutate('exceptions.assign', assign)).value).toMatchObject({ status: 'paid' });
  expect((await operator.mutate('refunds.create', unmatched)).error.reason).toBe('case_changed');
  const retry = { merchantId: null, refundId, closesCase: true, transactionStatus: null };
  expect((await operator.mutate('refunds.retry', retry)).error.reason).toBe('case_changed');
  const surplus = { ...refund, amountCents: 500, transactionStatus: 'paid' };
  expect((await operator.mutate('refunds.create', surplus)).status).toBe(200);
});

test('the rest of a partly refunded payment that was credited since the dialog opened is not refunded too', async () => {
  const { id: transactionId, pay } = await money.reference(shop, 'PARTS');
  await pay(6);
  const receiptId = await last();
  await pay(15);
  const refund = { merchantId: null, receiptId, closesCase: false, transactionStatus: 'pending' };
  const part = { ...refund, amountCents: 50, leftCents: 600 };
  expect((await operator.mutate('refunds.create', part)).status).toBe(200);
  const credit = { transactionId, receivedCents: 1500, note: '' };
  expect((await operator.mutate('exceptions.credit', credit)).status).toBe(200);
  const rest = { ...refund, amountCents: 550, leftCents: 550 };
  expect((await operator.mutate('refunds.create', rest)).error.reason).toBe('case_changed');
});

test('a credit does not close money that arrived since its dialog opened', async () => {
  const { id: transactionId, pay } = await money.reference(shop, 'PARTS');
  await pay(12);
  await pay(7.99);
  const receiptId = await last();
  const shownCents = async () =>
    (await operator.query('exceptions.show', { merchantId: null, receiptId })).value.receivedCents;
  const seen = { transactionId, receivedCents: await shownCents(), note: '' };
  await pay(15);
  expect((await operator.mutate('exceptions.credit', seen)).error.reason).toBe('case_changed');
  expect(
    await selectRows(deps.db, 'receipts', { transaction_id: transactionId, settlement: null }),
  ).toHaveLength(3);
  const credit = { ...seen, receivedCents: await shownCents() };
  expect((await operator.mutate('exceptions.credit', credit)).value).toMatchObject({ status: 'paid' });
});

test('money is not assigned to an order that was paid since the dialog said that it would pay it', async () => {
  const { id: transactionId, pay } = await money.reference(shop, 'PAID-BEFORE');
  const receiptId = await money.stranger(19.99);
  const preview = async () =>
    effectOf((await operator.query('exceptions.preview', { receiptId, transactionId })).value);
  const assign = { receiptId, transactionId, note: '', shown: await preview() };
  expect(assign.shown).toMatchObject({ settlement: 'paid', flags: { duplicate: false } });
  await pay();
  expect((await operator.mutate('exceptions.assign', assign)).error.reason).toBe('case_changed');
  expect(await selectRow(deps.db, 'receipts', { id: receiptId })).toMatchObject({ transaction_id: null });
  const informed = { ...assign, shown: await preview() };
  expect((await operator.mutate('exceptions.assign', informed)).status).toBe(200);
  expect((await operator.mutate('exceptions.assign', informed)).status).toBe(200);
  expect(await selectRow(deps.db, 'receipts', { id: receiptId })).toMatchObject({ duplicate: 1 });
});
