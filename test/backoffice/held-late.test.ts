import { afterAll, expect, test } from 'vitest';
import type { TransactionDetail } from '../../src/backoffice/transaction/show.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { assignReceipt } from '../../src/payments/exceptions/assign-receipt.ts';
import { startService } from '../support/harness.ts';
import { selectRow, updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { signedIn, type Visitor } from './support.ts';
import { cases } from './web/money-cases.ts';

const service = await startService({ whenOver: afterAll });
const money = cases(service);
const shop = await service.merchant();
const owner = await signedIn(service, { role: 'owner', merchantId: shop.merchantId });
const operator = await signedIn(service, { role: 'operator' });

async function detail(who: Visitor, id: string): Promise<TransactionDetail> {
  const { status, value } = await who.query('transaction.show', { merchantId: shop.merchantId, id });
  expect(status).toBe(200);
  return value;
}

/** Pays an order; a reference twice. */
const pay = {
  MBWAY: () => shop.pay(),
  async REFERENCE() {
    const sale = await money.reference(shop, 'HELD');
    await sale.pay();
    await sale.pay();
    return sale.id;
  },
};

test.each([
  ['MBWAY', 'cancelled', null, 'lapsed'],
  ['MBWAY', 'pending', 'declined', 'declined'],
  ['MBWAY', 'pending', 'no-answer', 'dead'],
  ['REFERENCE', 'cancelled', null, 'expired'],
] as const)(
  'while its money is held, an attempt by %s of an order that was %s, with the reason %s, is shown to its merchant as %s',
  async (method, status, end_reason, ending) => {
    const { db } = service.app.deps;
    const id = (await pay[method]()) as `tx_${string}`;
    const attempt = await selectRow(db, 'attempts', { transaction_id: id });
    const ended_at = attempt.created_at + 1;
    await updateRows(db, 'attempts', { ended_at, end_reason }, { id: attempt.id });
    const held = { status, held: 1, paid_at: ended_at + 9, shown_attempt_id: attempt.id } as const;
    await updateRows(db, 'transactions', held, { id });
    const seen = await detail(owner, id);
    expect(seen).toMatchObject({ status, method, held: false, receipts: [] });
    expect(seen.attempts).toMatchObject([{ state: ending, endedAt: ended_at }]);
    expect(seen.timeline).toContainEqual(
      expect.objectContaining({ kind: 'attempt-ended', ending, at: ended_at }),
    );
    const all = await detail(operator, id);
    expect(all).toMatchObject({ held: true, attempts: [{ state: 'paid' }] });
    expect(all.receipts).toHaveLength(method === 'MBWAY' ? 1 : 2);
  },
);

test('while money is held that came by both methods, both attempts are open to the merchant', async () => {
  const { deps } = service.app;
  await setMerchant(deps, shop.merchantId, { hold: true });
  const sale = await money.reference(shop, 'BOTH');
  const { id } = sale;
  await shop.post('/payments/mbway', { transactionId: id, phoneNumber: '911000001' });
  await sale.pay();
  await until(async () => (await detail(operator, id)).receipts.length === 2, 'the second receipt');
  const open = { state: 'open', endedAt: null };
  expect(await detail(owner, id)).toMatchObject({ receipts: [], attempts: [open, open] });
  const paid = { state: 'paid' };
  expect(await detail(operator, id)).toMatchObject({ held: true, attempts: [paid, paid] });
});

test('while money is held that came after too little, the merchant sees the first amount and an open reference', async () => {
  await setMerchant(service.app.deps, shop.merchantId, { hold: true });
  const { id, pay } = await money.reference(shop, 'SHORT');
  await pay(5);
  await pay(25);
  expect(await detail(operator, id)).toMatchObject({ held: true, attempts: [{ state: 'paid' }] });
  const seen = await detail(owner, id);
  expect(seen).toMatchObject({
    status: 'pending',
    held: false,
    attempts: [{ state: 'open', endedAt: null }],
  });
  expect(seen.receipts).toMatchObject([{ amountCents: 500 }]);
  const { merchantId } = shop;
  const receiptId = seen.receipts[0]?.receiptId;
  await owner.mutate('exceptions.markReturned', { merchantId, receiptId, amountCents: 500, note: 'Sent.' });
  // The other receipt still needs the operator's attention.
  const attention = await owner.query('transactions.list', { merchantId, attention: true });
  expect(attention.value.rows).toEqual([]);
  expect((await detail(owner, id)).receipts).toMatchObject([{ settlement: 'returned' }]);
});

test('while money is held that came before too little and was assigned later, the merchant sees the second amount', async () => {
  const receiptId = (await money.stranger(19.99)) as Id<'rcp'>;
  const { id, pay } = await money.reference(shop, 'BEFORE');
  await pay(5);
  await setMerchant(service.app.deps, shop.merchantId, { hold: true });
  await assignReceipt(service.app.deps, { receiptId, transactionId: id as Id<'tx'>, note: '' });
  expect((await detail(operator, id)).receipts).toHaveLength(2);
  const seen = await detail(owner, id);
  expect(seen).toMatchObject({ status: 'pending', held: false, receipts: [{ amountCents: 500 }] });
});
