import { afterAll, expect, test } from 'vitest';
import type { TransactionDetail } from '../../src/backoffice/transaction/show.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { reportRefund } from '../../src/payments/refunds/report-refund.ts';
import { ORDER, startService } from '../support/harness.ts';
import { insertRows, selectRow } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { auditLog, shopWithOwner, signedIn, type Visitor } from './support.ts';
import { cases } from './web/money-cases.ts';

const IBAN = 'PT50000201231234567890154';
const service = await startService({ whenOver: afterAll, env: { SERVICE_SEPA_DEBTOR_NAME: 'Plataforma' } });
const { deps } = service.app;
const money = cases(service);
const { merchant: shop, merchantId, owner } = await shopWithOwner(service, { name: 'A' });
const { merchant: other, owner: stranger } = await shopWithOwner(service, { name: 'B' });
const operator = await signedIn(service, { role: 'operator' });
const viewer = await signedIn(service, { role: 'viewer', merchantId });

const receiptOf = async (transactionId: string) =>
  (await money.receipts()).findLast((receipt) => receipt.transaction_id === transactionId)?.id ?? '';
const seen = async (by: Visitor, receiptId: string) =>
  (await by.query('refunds.ofReceipt', { merchantId, receiptId })).value;
const reaches = (by: Visitor, receiptId: string, state: string) =>
  until(async () => {
    const shown = await seen(by, receiptId);
    return shown.refunds[0]?.state === state ? shown : null;
  }, `the newest refund to be ${state}`);

/** The refunds in the timeline of a transaction. */
async function timelineOf(id: string): Promise<string[]> {
  const { timeline }: TransactionDetail = (await viewer.query('transaction.show', { merchantId, id })).value;
  return timeline.flatMap((entry) =>
    entry.kind === 'refund' ? [`${entry.amountCents} ${entry.stage}`] : [],
  );
}

test('an owner refunds a part and the rest, viewers read, and a foreign receipt is not accessible', async () => {
  const id = await shop.pay();
  const receiptId = await receiptOf(id);
  const part = { merchantId, receiptId, amountCents: 500, reason: 'broken' };
  const foreign = { ...part, merchantId: other.merchantId };
  expect((await stranger.mutate('refunds.create', foreign)).error.code).toBe('NOT_FOUND');
  const elsewhere = { merchantId: other.merchantId, receiptId };
  expect((await stranger.query('refunds.ofReceipt', elsewhere)).error.code).toBe('NOT_FOUND');
  expect(await seen(viewer, receiptId)).toMatchObject({ may: false, refusal: 'viewer', leftCents: 1999 });
  expect((await owner.mutate('refunds.create', part)).status).toBe(200);
  const shown = await reaches(owner, receiptId, 'done');
  expect(shown).toMatchObject({
    may: true,
    refusal: null,
    leftCents: 1499,
    proposedCents: 1499,
    transfer: false,
    refunds: [{ amountCents: 500, reason: 'broken' }],
  });
  // The bank's notification adds a line, before or after the assertion.
  expect(shown.refunds[0].history.slice(0, 3)).toMatchObject([
    { state: 'requested', actor: owner.email },
    { state: 'sent' },
    { state: 'done' },
  ]);
  expect((await owner.mutate('refunds.create', { ...part, amountCents: 1500 })).error).toMatchObject({
    reason: 'refund_above_rest',
    values: { rest: 14.99 },
  });
  const rest = { receiptId, amountCents: 1499 };
  expect((await operator.mutate('refunds.create', { merchantId: null, ...rest })).status).toBe(200);
  const full = await reaches(owner, receiptId, 'done');
  expect(full).toMatchObject({ refusal: 'nothing_left', leftCents: 0 });
  expect(full.refunds[0].history[0]).toMatchObject({ actor: null });
  const { value: toOperator } = await operator.query('refunds.ofReceipt', { merchantId: null, receiptId });
  expect(toOperator.refunds[0].history[0]).toMatchObject({ actor: operator.email });
  expect(await timelineOf(id)).toEqual(['500 requested', '500 done', '1499 requested', '1499 done']);
  const list = (await viewer.query('refunds.list', { merchantId, state: 'done', limit: 1 })).value;
  expect(list.rows).toMatchObject([{ amountCents: 1499 }]);
  const next = await viewer.query('refunds.list', { merchantId, limit: 1, cursor: list.nextCursor });
  expect(next.value).toMatchObject({ rows: [{ amountCents: 500 }], nextCursor: null });
  const sum = { count: 2, cents: 1999, more: false };
  expect((await viewer.query('refunds.sum', { merchantId })).value).toEqual(sum);
  expect((await stranger.query('refunds.sum', { merchantId: other.merchantId })).value.count).toBe(0);
});

test('a repeated request for the same part is refused, in sequence and concurrently', async () => {
  const receiptId = await receiptOf(await shop.pay());
  const part = { merchantId, receiptId, amountCents: 400, leftCents: 1999 };
  expect((await owner.mutate('refunds.create', part)).status).toBe(200);
  await reaches(owner, receiptId, 'done');
  // As by a browser that lost the first answer.
  expect((await owner.mutate('refunds.create', part)).error).toMatchObject({
    reason: 'refund_rest_changed',
    values: { rest: 15.99 },
  });
  const sale = await money.reference(shop, 'TWICE');
  await sale.pay();
  const byTransfer = { merchantId, receiptId: await receiptOf(sale.id), amountCents: 300, leftCents: 1999 };
  const answers = await Promise.all([1, 2, 3, 4].map(() => owner.mutate('refunds.create', byTransfer)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await seen(owner, byTransfer.receiptId)).toMatchObject({ leftCents: 1699 });
  const open = { refundId: (await seen(owner, byTransfer.receiptId)).refunds[0].refundId, note: 'test' };
  const sum = async (state?: string) => (await owner.query('refunds.sum', { merchantId, state })).value;
  const before = await sum();
  expect(await timelineOf(sale.id)).toEqual(['300 requested']);
  await operator.mutate('refunds.settle', { ...open, outcome: 'failed' });
  expect(await timelineOf(sale.id)).toEqual(['300 requested', '300 failed']);
  // A failed refund is listed, and its money did not go back.
  expect(await sum()).toMatchObject({ count: before.count, cents: before.cents - 300 });
  expect(await sum('failed')).toMatchObject({ count: 1, cents: 300 });
});

test('an operator switches refunds off for owners, and refund events on', async () => {
  const receiptId = await receiptOf(await shop.pay());
  const order = { merchantId, receiptId, amountCents: 100 };
  const sale = await money.reference(shop, 'OFF');
  await sale.pay();
  const transfer = { ...order, receiptId: await receiptOf(sale.id) };
  await owner.mutate('refunds.create', transfer);
  const [{ refundId }] = (await seen(owner, transfer.receiptId)).refunds;
  const set = (change: object) => operator.mutate('merchants.set', { merchantId, ...change });
  expect((await set({ refunds: false, refundEvents: true })).value).toMatchObject({
    refunds: false,
    refundEvents: true,
  });
  expect((await owner.mutate('refunds.create', order)).error.reason).toBe('refund_not_allowed');
  const own = { merchantId, refundId };
  expect((await owner.mutate('refunds.set', { ...own, iban: IBAN })).error.reason).toBe('refund_not_allowed');
  await operator.mutate('refunds.settle', { refundId, outcome: 'failed', note: 'test' });
  expect((await owner.mutate('refunds.retry', own)).error.reason).toBe('refund_not_allowed');
  expect(await seen(owner, receiptId)).toMatchObject({ may: false, refusal: 'off', eventAboveCents: 0 });
  expect(await seen(operator, receiptId)).toMatchObject({ may: true, refusal: null });
  expect((await operator.mutate('refunds.create', order)).status).toBe(200);
  await set({ refunds: true, refundEvents: false });
  expect(await reaches(owner, receiptId, 'done')).toMatchObject({ may: true, eventAboveCents: null });
});

test('an over-paid receipt proposes its surplus, and its refund closes the case', async () => {
  const sale = await money.reference(shop, 'OVER');
  await sale.pay(25);
  const receiptId = await receiptOf(sale.id);
  expect(await seen(owner, receiptId)).toMatchObject({
    proposedCents: 501,
    leftCents: 2500,
    transfer: true,
    closesCase: true,
    customerName: 'Ana Silva',
  });
  const order = { merchantId, receiptId, amountCents: 501, iban: 'PT51 0002' };
  expect((await owner.mutate('refunds.create', order)).error.reason).toBe('refund_iban');
  expect((await owner.mutate('refunds.create', { ...order, iban: IBAN })).status).toBe(200);
  const shown = await seen(owner, receiptId);
  expect(shown).toMatchObject({
    proposedCents: 1999,
    refunds: [{ state: 'awaiting_transfer', iban: '0154' }],
  });
  expect((await owner.query('exceptions.show', { merchantId, receiptId })).value.settlement).toBe('refunded');
});

test('only the operator settles and exports the queue, and the export names what it omits', async () => {
  const sale = await money.reference(shop, 'QUEUE');
  await sale.pay();
  const receiptId = await receiptOf(sale.id);
  await owner.mutate('refunds.create', { merchantId, receiptId, amountCents: 700 });
  const [{ refundId }] = (await seen(owner, receiptId)).refunds;
  const { value: queue } = await operator.query('refunds.list', { merchantId: null, queue: true });
  expect(queue.rows).toMatchObject([{ amountCents: 501 }, { refundId, iban: null }]);

  expect((await owner.mutate('refunds.exportTransfers', { again: false })).error.code).toBe('FORBIDDEN');
  expect((await operator.mutate('refunds.exportTransfers', { again: false })).error).toMatchObject({
    reason: 'refund_debtor_missing',
    values: { settings: 'SERVICE_SEPA_DEBTOR_IBAN' },
  });
  Object.assign(deps.settings, { sepaDebtorIban: IBAN });
  const made = (await operator.mutate('refunds.exportTransfers', { again: false })).value;
  expect(made).toMatchObject({
    count: 1,
    totalCents: 501,
    leftCount: 1,
    left: [{ refundId, orderId: 'QUEUE' }],
  });
  expect(made.xml).toContain('<NbOfTxs>1</NbOfTxs>');
  expect((await operator.mutate('refunds.exportTransfers', { again: false })).value.xml).toBeNull();
  expect((await operator.mutate('refunds.exportTransfers', { again: true })).value).toMatchObject({
    count: 1,
    repeatedCount: 1,
  });

  const account = { refundId, iban: IBAN, name: 'Ana' };
  expect((await owner.mutate('refunds.set', { merchantId, ...account })).status).toBe(200);
  const settle = { refundId, outcome: 'failed', note: 'the bank sent it back' };
  expect((await owner.mutate('refunds.settle', settle)).error.code).toBe('FORBIDDEN');
  expect((await operator.mutate('refunds.settle', settle)).status).toBe(200);
  expect((await operator.mutate('refunds.settle', settle)).error.reason).toBe('refund_state');
  const foreign = { merchantId: other.merchantId, refundId };
  expect((await stranger.mutate('refunds.retry', foreign)).error.code).toBe('NOT_FOUND');
  expect((await operator.mutate('refunds.retry', { merchantId: null, refundId })).status).toBe(200);
  expect((await owner.mutate('refunds.retry', { merchantId, refundId })).error.reason).toBe(
    'refund_repeated',
  );
  for (const reader of [operator, owner]) {
    const [again, failed] = (await seen(reader, receiptId)).refunds;
    expect(again).toMatchObject({ state: 'awaiting_transfer', iban: '0154', name: 'Ana' });
    // The note is the operator's, and not a reason of the bank.
    const history = expect.arrayContaining([expect.objectContaining({ note: settle.note })]);
    expect(failed).toMatchObject({ repeated: true, bankReason: null, technicalDetail: null, history });
  }
  expect(await auditLog(service, { target: refundId })).toMatchObject([
    { action: 'refund.created', actor: owner.email },
    { action: 'refund.changed', actor: owner.email },
    { action: 'refund.settled', actor: operator.email },
  ]);
});

test('an unrequested refund that the bank reports is settled by the operator only, and shown on the System page', async () => {
  const sale = await shop.pay();
  const receiptId = await receiptOf(sale);
  const report = async (identity: string) => {
    const { account_id, request_id } = await selectRow(deps.db, 'receipts', { id: receiptId });
    const details = { identity, accountIds: [account_id], requestId: request_id, amount: cents(300) };
    await deps.db.unit((tx) => reportRefund(tx, deps, details));
  };
  await report('one');
  await report('two');
  const { value: reported } = await operator.query('refunds.reported');
  expect(reported).toMatchObject([
    {
      amountCents: 300,
      acquirer: 'ifthenpay',
      receipt: { id: receiptId, merchantName: 'A', leftCents: 1999 },
    },
    { amountCents: 300 },
  ]);
  expect((await operator.query('system.show')).value.refunds).toEqual({ level: 'attention', reported: 2 });
  const [one, two] = reported.map(({ reportId }: { reportId: string }) => ({ reportId, note: 'seen' }));
  expect((await owner.query('refunds.reported')).error.code).toBe('FORBIDDEN');
  expect((await owner.mutate('refunds.recordReported', one)).error.code).toBe('FORBIDDEN');
  expect((await operator.mutate('refunds.recordReported', one)).status).toBe(200);
  expect((await operator.mutate('refunds.recordReported', one)).error.reason).toBe('refund_reported_settled');
  expect((await operator.mutate('refunds.dismissReported', two)).status).toBe(200);
  expect((await operator.query('system.show')).value.refunds).toEqual({ level: 'good', reported: 0 });
  expect((await operator.query('refunds.reported')).value).toEqual([]);
  const shown = await seen(owner, receiptId);
  expect(shown).toMatchObject({ leftCents: 1699, refunds: [{ state: 'done', amountCents: 300 }] });
  expect(shown.refunds[0].history).toMatchObject([{ state: 'done', actor: null, note: 'seen' }]);
  expect(await timelineOf(sale), 'it was requested elsewhere').toEqual(['300 done']);
});

test('a merchant neither sees nor refunds the money of a sale on hold', async () => {
  await setMerchant(deps, merchantId, { hold: true });
  const sale = await money.reference(shop, 'HELD');
  await sale.pay(5);
  const part = await receiptOf(sale.id);
  await sale.pay();
  const paying = await receiptOf(sale.id);
  await setMerchant(deps, merchantId, { hold: false });
  expect((await owner.query('refunds.ofReceipt', { merchantId, receiptId: paying })).error.code).toBe(
    'NOT_FOUND',
  );
  expect(await seen(owner, part)).toMatchObject({ refusal: 'unavailable' });
  const order = { merchantId, receiptId: part, amountCents: 100 };
  expect((await owner.mutate('refunds.create', order)).error).toMatchObject({
    reason: 'refund_unavailable',
    message: 'This payment cannot be refunded now.',
  });
  for (const at of [null, merchantId]) {
    const { value } = await operator.query('refunds.ofReceipt', { merchantId: at, receiptId: paying });
    expect(value.refusal).toBe('held');
  }
  const { account_id } = await selectRow(deps.db, 'receipts', { id: paying });
  const made = { id: deps.ids('ref'), receipt_id: paying as Id<'rcp'>, merchant_id: merchantId, account_id };
  await insertRows(deps.db, 'refunds', made);
  const listed = async (by: Visitor, at: string | null) =>
    (await by.query('refunds.list', { merchantId: at })).value.rows[0].refundId === made.id;
  expect(await listed(operator, null)).toBe(true);
  expect(await listed(owner, merchantId)).toBe(false);
});

test('a name that is too long for a transfer is proposed as far as one accepts it', async () => {
  const name = `Ana ${'Silva '.repeat(40)}`;
  const { id, mb } = await shop.reference({ orderId: 'LONG', customer: { ...ORDER.customer, name } });
  await service.control('/multibanco', mb);
  await shop.reaches(id, 'paid');
  const receiptId = await receiptOf(id);
  const { customerName } = await seen(owner, receiptId);
  expect(name.slice(0, 140)).toContain(customerName);
  const order = { merchantId, receiptId, amountCents: 500, iban: IBAN, name: customerName };
  expect((await owner.mutate('refunds.create', order)).status).toBe(200);
});
