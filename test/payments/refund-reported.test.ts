import { expect, test, vi } from 'vitest';
import { listReported } from '../../src/backoffice/refunds/reported.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { assignReceipt } from '../../src/payments/exceptions/assign-receipt.ts';
import { creditTransaction } from '../../src/payments/exceptions/credit-transaction.ts';
import { linkReports } from '../../src/payments/refunds/reported.ts';
import { openReportedCents } from '../../src/payments/refunds/reported-store.ts';
import { retryRefund } from '../../src/payments/refunds/retry-refund.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import { CREDENTIALS } from '../banks/support.ts';
import { insertRows, selectRow, selectRows } from '../support/rows.ts';
import { paidRefundKit, refundKit } from './refund-kit.ts';
import { firstOf, OPERATOR, SETTINGS, setup } from './setup.ts';

type Kit = Awaited<ReturnType<typeof paidRefundKit>>;

const reports = ({ deps }: Pick<Kit, 'deps'>) => selectRows(deps.db, 'reported_refunds');
const receiptRow = ({ deps, receipt: { id } }: Kit) => selectRow(deps.db, 'receipts', { id });

test('a settled report never settles a refund of the same amount that comes later, and a recorded one takes no notification', async () => {
  const kit = await paidRefundKit();
  const { notify, requestId, row, answered } = kit;
  await notify(requestId, 300, 'dismissed');
  await notify(requestId, 300, 'recorded');
  await kit.dismiss();
  await kit.record({ settled_at: null });
  const own = await answered(300, { kind: 'unknown', detail: 'timeout' });
  await notify(requestId, 300, 'dismissed');
  await notify(requestId, 300, 'recorded');
  expect(await row(own)).toMatchObject({ state: 'unknown' });
  await notify(requestId, 300, 'of our own');
  expect(await row(own)).toMatchObject({ state: 'done' });
});

test('a requested refund is not sent when the bank reports one made elsewhere and the receipt has no room for both', async () => {
  const kit = await paidRefundKit();
  const { deps, notify, requestId, create, send, row } = kit;
  const fits = await create({ receiptId: kit.receipt.id }, 300);
  await notify(requestId, 700, 'elsewhere');
  expect(await send(fits)).toBe(true);
  await kit.port.applyOutcome(fits, { kind: 'done' });
  await expect(create({ receiptId: kit.receipt.id })).rejects.toThrow('made elsewhere');
  await kit.dismiss();
  const blocked = await create({ receiptId: kit.receipt.id }, 700);
  await notify(requestId, 100, 'elsewhere too');
  expect(await send(blocked)).toBe(false);
  expect(await row(blocked)).toMatchObject({ state: 'failed', detail: 'REFUNDED_ELSEWHERE', sent_at: null });
  expect(await receiptRow(kit)).toMatchObject({ refund_cents: 300 });
  await expect(retryRefund(deps, OPERATOR, blocked)).rejects.toThrow('made elsewhere');
});

test('a refund that the bank reports before its payment is recorded is not made again', async () => {
  const made = await setup();
  const { deps, bank, receipts } = made;
  const kit = refundKit(made);
  const { requestId, amount } = bank.foreign(cents(700));
  bank.foreign(cents(500));
  await kit.notify(requestId ?? '', amount, 'of an unknown payment');
  await made.pass(SETTINGS.reconcileMs);
  const receipt = await selectRow(deps.db, 'receipts', { amount_cents: amount });
  const other = await selectRow(deps.db, 'receipts', { amount_cents: cents(500) });
  await expect(kit.create({ receiptId: receipt.id })).rejects.toThrow('made elsewhere');
  await kit.create({ receiptId: other.id });
  expect(await listReported(deps)).toMatchObject([{ receipt: { id: receipt.id } }]);
  await kit.record();
  expect((await receipts()).find(({ id }) => id === receipt.id)).toMatchObject({
    refund_cents: 700,
    settlement: 'refunded',
  });
});

test('a report that is linked to its receipt while reports are summed is counted', async () => {
  const made = await setup();
  const { deps, bank, receipts } = made;
  const { requestId, amount } = bank.foreign(cents(700));
  await refundKit(made).notify(requestId ?? '', amount, 'of an unknown payment');
  await made.pass(SETTINGS.reconcileMs);
  const receipt = firstOf(await receipts());
  const executor = deps.db.read.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  vi.spyOn(executor, 'executeQuery').mockImplementationOnce(async (query) => {
    const result = await execute(query);
    await linkReports(deps);
    return result as never;
  });
  expect(await openReportedCents(deps.db.read, receipt)).toBeGreaterThanOrEqual(700);
});

test('a report that arrived first and blocks a refund can be recorded, also one at a superseded account', async () => {
  const made = await setup();
  const { deps, bank, merchant, receipts } = made;
  const { create, port, record } = refundKit(made);
  const old = { ...CREDENTIALS, mbKey: 'OWN-000001', antiPhishingKey: 'one-key-of-the-customer' };
  const order = { merchantId: merchant.id, credentials: old };
  const { account: superseded } = await setBankAccount(deps, order);
  await setBankAccount(deps, { ...order, credentials: { ...old, mbKey: 'OWN-000003' } });
  const row = bank.foreign(cents(700));
  row.methodKey = 'OWN-000003';
  const { requestId, amount } = row;
  const report = { identity: 'elsewhere', accountIds: [superseded], requestId, amount };
  const unknown = { ...report, identity: 'of an unknown payment', requestId: 'unknown' };
  for (const each of [report, unknown]) await deps.db.unit((tx) => port.applyNotification(tx, each));
  await made.pass(SETTINGS.reconcileMs);
  const receiptId = firstOf(await receipts()).id;
  await expect(create({ receiptId })).rejects.toThrow('made elsewhere');
  await record({ request_id: requestId });
  expect(await selectRow(deps.db, 'reported_refunds', { request_id: 'unknown' })).toMatchObject({
    receipt_id: null,
    merchant_id: null,
  });
  expect(await receipts()).toMatchObject([{ refund_cents: 700 }]);
});

test('a report of another acquirer concerns no payment with the same id', async () => {
  const made = await setup();
  const { deps, bank } = made;
  const { create, port } = refundKit(made);
  await insertRows(deps.db, 'bank_accounts', { id: 'acc_eupago', acquirer: 'eupago' });
  const { requestId, amount } = bank.foreign(cents(700));
  const report = { identity: 'elsewhere', accountIds: ['acc_eupago' as Id<'acc'>], requestId, amount };
  await deps.db.unit((tx) => port.applyNotification(tx, report));
  await insertRows(deps.db, 'receipts', {
    id: 'rcp_1',
    identity: 'one',
    account_id: made.account,
    request_id: requestId,
    amount_cents: amount,
  });
  await create({ receiptId: 'rcp_1' as Id<'rcp'> });
});

test('a report at the account of a merchant blocks no payment to another account', async () => {
  const made = await setup();
  const { deps, bank, merchant } = made;
  const kit = refundKit(made);
  const credentials = { ...CREDENTIALS, mbKey: 'OWN-000001', antiPhishingKey: 'known-to-the-merchant' };
  const { account } = await setBankAccount(deps, { merchantId: merchant.id, credentials });
  const { requestId, amount } = bank.foreign(cents(700));
  const forged = { identity: 'forged', accountIds: [account], requestId, amount };
  await deps.db.unit((tx) => kit.port.applyNotification(tx, forged));
  await made.pass(SETTINGS.reconcileMs);
  await deps.db.unit((tx) => kit.port.applyNotification(tx, { ...forged, identity: 'once recorded' }));
  await kit.create({ receiptId: firstOf(await made.receipts()).id });
  expect(await reports({ deps })).toMatchObject([{ receipt_id: null }, { receipt_id: null }]);
});

test.each([
  ['a notification', (kit: Kit) => kit.notify(kit.requestId, 300, 'made after all')],
  ['a late answer', (kit: Kit, failed: Id<'ref'>) => kit.port.applyOutcome(failed, { kind: 'done' })],
])(
  'a retry is not sent when %s of the bank says that the failed refund was made after all',
  async (_, report) => {
    const kit = await paidRefundKit();
    const failed = await kit.answered(300, { kind: 'unreachable', detail: 'no route' });
    const retried = await retryRefund(kit.deps, OPERATOR, failed);
    await report(kit, failed);
    expect(await kit.row(failed)).toMatchObject({ state: 'done' });
    expect(await kit.send(retried)).toBe(false);
    expect(await kit.row(retried)).toMatchObject({ state: 'failed', sent_at: null, detail: 'ORIGINAL_DONE' });
    await expect(retryRefund(kit.deps, OPERATOR, retried)).rejects.toThrow('the bank made it');
    expect(await receiptRow(kit)).toMatchObject({ refund_cents: 300 });
  },
);

test('money that the bank reports as refunded elsewhere pays no transaction until the report is settled', async () => {
  const made = await setup();
  const { deps, bank } = made;
  const kit = refundKit(made);
  const transactionId = await made.init();
  const parts = [600, 450].map((part) => bank.foreign(cents(part)));
  await made.pass(SETTINGS.reconcileMs);
  const receiptOf = async ({ requestId }: { requestId: string | null }) =>
    firstOf((await made.receipts()).filter((receipt) => receipt.request_id === requestId)).id;
  const assign = async (part: { requestId: string | null }) =>
    assignReceipt(deps, { receiptId: await receiptOf(part), transactionId, note: '' });
  const [larger, smaller] = parts;
  if (larger === undefined || smaller === undefined) return;
  await kit.notify(smaller.requestId ?? '', 450, 'of the unmatched one');
  await expect(assign(smaller)).rejects.toThrow('made elsewhere');
  await kit.dismiss();
  await assign(smaller);
  await assign(larger);
  await kit.notify(larger.requestId ?? '', 100, 'of the assigned one');
  await expect(creditTransaction(deps, transactionId)).rejects.toThrow('9.5 of 10 EUR');
  await kit.dismiss({ settled_at: null });
  expect(await creditTransaction(deps, transactionId)).toMatchObject({ status: 'paid' });
});

test('concurrent records of one report make one refund, and none beyond the receipt', async () => {
  const kit = await paidRefundKit();
  const { notify, requestId, create, rows } = kit;
  const rest = await create({ receiptId: kit.receipt.id }, 800);
  await notify(requestId, 300, 'outside');
  await expect(kit.record()).rejects.toThrow('at most');
  const report = firstOf(await reports(kit));
  expect(report.settled_at).toBeNull();
  await kit.send(rest);
  await kit.port.applyOutcome(rest, { kind: 'refused', reason: 'no' });
  // There would be room for all three.
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => kit.record()));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(refused).toMatchObject([
    { reason: 'refund_reported_settled' },
    { reason: 'refund_reported_settled' },
  ]);
  expect((await rows()).filter(({ state }) => state === 'done')).toMatchObject([
    { amount_cents: 300, settled_at: report.reported_at },
  ]);
  expect(await receiptRow(kit)).toMatchObject({ refund_cents: 300 });
});

test('a late answer that a failed refund was made is reported once, also when its notification follows', async () => {
  const kit = await paidRefundKit();
  const { deps, port, notify, requestId, receipt, row, sent } = kit;
  const failed = await sent(400);
  await port.giveUp(failed);
  await settleRefund(deps, { refundId: failed, outcome: 'failed', note: 'not at the bank' });
  const other = await sent(700);
  await port.applyOutcome(failed, { kind: 'done' });
  const [report, ...others] = await reports(kit);
  expect(others).toEqual([]);
  expect(report).toMatchObject({ receipt_id: receipt.id, amount_cents: 400, settled_at: null });

  await port.applyOutcome(other, { kind: 'refused', reason: 'no' });
  await kit.record();
  await notify(requestId, 400, 'of the failed one');
  await notify(requestId, 400, 'of the failed one');
  expect(await reports(kit)).toHaveLength(1);
  expect(await row(failed)).toMatchObject({ state: 'failed' });
  expect(await receiptRow(kit)).toMatchObject({ refund_cents: 400 });
});

test('a failed refund that the bank made is not repeated, although there is room and its report was recorded', async () => {
  const kit = await paidRefundKit();
  const { deps, create, port, notify, requestId, receipt, rows, answered, sent } = kit;
  const failed = await answered(400, { kind: 'unknown', detail: 'timeout' });
  await settleRefund(deps, { refundId: failed, outcome: 'failed', note: 'a mistake' });
  const other = await sent(700);
  await notify(requestId, 400, 'made after all');
  await port.applyOutcome(other, { kind: 'refused', reason: 'no' });
  await expect(retryRefund(deps, OPERATOR, failed)).rejects.toThrow('the bank made it');
  await expect(create({ receiptId: receipt.id }, 700)).rejects.toThrow('made elsewhere');
  // An open report blocks no refund of the rest.
  await answered(600, { kind: 'refused', reason: 'no' });
  await kit.record();
  await expect(retryRefund(deps, OPERATOR, failed)).rejects.toThrow('the bank made it');
  expect(await receiptRow(kit)).toMatchObject({ refund_cents: 400 });
  await create({ receiptId: receipt.id }, 600);
  expect(await rows()).toHaveLength(5);
});
