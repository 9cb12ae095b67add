import { expect, test } from 'vitest';
import { cents } from '../../src/kernel/money.ts';
import { assignReceipt } from '../../src/payments/exceptions/assign-receipt.ts';
import { creditTransaction } from '../../src/payments/exceptions/credit-transaction.ts';
import { markReturned } from '../../src/payments/exceptions/settle-receipt.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import { refundKit } from './refund-kit.ts';
import { firstOf, OPERATOR, SETTINGS, setup } from './setup.ts';

test('a refund closes the case of its receipt, which cannot be assigned or returned; a failed one opens it again', async () => {
  const made = await setup();
  const { deps, bank, pass, receipts, init } = made;
  const { create } = refundKit(made);
  bank.foreign(cents(700));
  await pass(SETTINGS.reconcileMs);
  const stray = firstOf(await receipts());
  const id = await create({ receiptId: stray.id }, 200);
  const other = await create({ receiptId: stray.id }, 100);
  await settleRefund(deps, { refundId: other, outcome: 'failed', note: 'made once' });
  expect(await receipts()).toMatchObject([{ settlement: 'refunded', refund_cents: 200 }]);
  const transactionId = await init();
  await expect(assignReceipt(deps, { receiptId: stray.id, transactionId, note: '' })).rejects.toThrow(
    /refunded/,
  );
  const back = { receiptId: stray.id, amountCents: 700, note: 'by hand' };
  await expect(markReturned(deps, OPERATOR, back)).rejects.toThrow(/refunded/);
  await settleRefund(deps, { refundId: id, outcome: 'failed', note: 'wrong account' });
  expect(await receipts()).toMatchObject([{ settlement: null, settled_at: null, refund_cents: 0 }]);
  await markReturned(deps, OPERATOR, back);
  await expect(create({ receiptId: stray.id })).rejects.toThrow(/marked as returned/);
});

test('what was or may be refunded does not count for a credit', async () => {
  const made = await setup();
  const { deps, bank, pass, receipts, init } = made;
  const { create } = refundKit(made);
  const transactionId = await init();
  for (const part of [600, 450]) bank.foreign(cents(part));
  await pass(SETTINGS.reconcileMs);
  for (const { id } of await receipts())
    await assignReceipt(deps, { receiptId: id, transactionId, note: '' });
  const larger = (await receipts()).find(({ amount_cents }) => amount_cents === 600);
  if (larger === undefined) throw new Error('no receipt');
  const id = await create({ receiptId: larger.id }, 100);
  await expect(creditTransaction(deps, transactionId)).rejects.toThrow(/9.5 of 10 EUR/);
  await settleRefund(deps, { refundId: id, outcome: 'failed', note: 'returned by the bank' });
  await create({ receiptId: larger.id }, 50);
  expect(await creditTransaction(deps, transactionId)).toMatchObject({ status: 'paid' });
  await expect(create({ transactionId })).rejects.toThrow(/several receipts/);
  await create({ receiptId: larger.id }, 550);
  const smaller = (await receipts()).find(({ amount_cents }) => amount_cents === 450);
  const refundId = await create({ receiptId: smaller?.id ?? 'rcp_' });
  await settleRefund(deps, { refundId, outcome: 'failed', note: 'returned by the bank' });
  expect((await receipts()).map(({ settlement }) => settlement)).toEqual(['credited', 'credited']);
});
