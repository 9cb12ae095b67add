import { afterAll, expect, test } from 'vitest';
import { EVERYTHING, lockRefund, moveRefund } from '../../src/payments/refunds/move.ts';
import type { RefundTrigger } from '../../src/payments/refunds/refund.ts';
import type { RefundChanges } from '../../src/payments/refunds/store.ts';
import { startService } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { shopWithOwner, signedIn, type Visitor } from './support.ts';
import { cases } from './web/money-cases.ts';

const service = await startService({ whenOver: afterAll });
const { deps } = service.app;
const money = cases(service);
const { merchant: shop, merchantId, owner } = await shopWithOwner(service);
const operator = await signedIn(service, { role: 'operator' });

const seen = async (by: Visitor, receiptId: string) =>
  (await by.query('refunds.ofReceipt', { merchantId, receiptId })).value;
const reaches = (receiptId: string, state: string) =>
  until(async () => {
    const [newest] = (await seen(operator, receiptId)).refunds;
    return newest?.state === state ? newest : null;
  }, `the newest refund to be ${state}`);

/** A refund of 7 euros to which the bank gave no clear answer. */
async function unclearRefund() {
  const transactionId = await shop.pay();
  const receipts = await money.receipts();
  const receiptId = receipts.findLast((receipt) => receipt.transaction_id === transactionId)?.id ?? '';
  await service.control('/faults', { mode: 'error500-refund', times: 1 });
  await owner.mutate('refunds.create', { merchantId, receiptId, amountCents: 700 });
  const refund = await reaches(receiptId, 'unknown');
  const { refundId, technicalDetail }: { refundId: string; technicalDetail: unknown } = refund;
  return { receiptId, refundId, technicalDetail, refund };
}

const bankAnswers = (refundId: string, trigger: RefundTrigger, changes: RefundChanges) =>
  deps.db.unit(async (tx) => {
    await moveRefund(tx, deps, await lockRefund(tx, refundId, EVERYTHING), trigger, changes);
  });

test('an unclear refund that an operator settles as failed shows the note as written by a person', async () => {
  const { receiptId, refundId, technicalDetail, refund } = await unclearRefund();
  expect(refund).toMatchObject({ bankReason: null, technicalDetail: expect.any(String) });
  expect((await seen(owner, receiptId)).refunds).toMatchObject([{ bankReason: null, technicalDetail: null }]);
  const note = 'the bank has no such refund';
  await operator.mutate('refunds.settle', { refundId, outcome: 'failed', note });
  const lines = { state: 'failed', bankReason: null, history: [{}, {}, {}, { state: 'failed', note }] };
  expect((await seen(operator, receiptId)).refunds).toMatchObject([{ ...lines, technicalDetail }]);
  expect((await seen(owner, receiptId)).refunds).toMatchObject([{ ...lines, technicalDetail: null }]);
});

test('a failed refund that the bank made beyond the receipt says so to both, without a reason of the bank', async () => {
  const { receiptId, refundId, technicalDetail } = await unclearRefund();
  const note = 'the bank has no such refund';
  await operator.mutate('refunds.settle', { refundId, outcome: 'failed', note });
  await owner.mutate('refunds.create', { merchantId, receiptId, amountCents: 1999 });
  await reaches(receiptId, 'done');
  const [, before] = (await seen(owner, receiptId)).refunds;
  expect(before).toMatchObject({ state: 'failed', bankMade: false });
  await bankAnswers(refundId, 'bank_done', { notification: 'late' });
  const lines = (lastNote: unknown) => ({
    state: 'failed',
    bankReason: null,
    bankMade: true,
    history: [
      ...[{}, {}, {}, { state: 'failed', note }],
      { state: 'failed', actor: 'service', note: lastNote },
    ],
  });
  const [, byOperator] = (await seen(operator, receiptId)).refunds;
  expect(byOperator).toMatchObject({ ...lines(expect.any(String)), technicalDetail });
  const [, byOwner] = (await seen(owner, receiptId)).refunds;
  expect(byOwner).toMatchObject({ ...lines(null), technicalDetail: null });
});

test('the technical detail of an unclear answer is not shown once the bank has accepted the refund', async () => {
  const { receiptId, refundId } = await unclearRefund();
  await bankAnswers(refundId, 'bank_accepted', { bank_refund_id: 'r1', check_at: Date.now() + 3_600_000 });
  expect((await seen(operator, receiptId)).refunds).toMatchObject([
    { state: 'accepted', bankReason: null, technicalDetail: null },
  ]);
  // A merchant reads no reason of a refund that was unclear: the detail may be that of the unclear answer.
  await bankAnswers(refundId, 'bank_failed', { detail: 'Devolvido' });
  const failed = { state: 'failed', bankReason: 'Devolvido' };
  expect((await seen(operator, receiptId)).refunds).toMatchObject([failed]);
  expect((await seen(owner, receiptId)).refunds).toMatchObject([{ ...failed, bankReason: null }]);
});
