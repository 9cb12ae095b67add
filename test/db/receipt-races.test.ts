import { expect, test } from 'vitest';
import type { BankRecord } from '../../src/banks/port.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { Deps } from '../../src/deps.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { eraseTransaction } from '../../src/payments/erasure-store.ts';
import { assignReceipt } from '../../src/payments/exceptions/assign-receipt.ts';
import { creditTransaction } from '../../src/payments/exceptions/credit-transaction.ts';
import { noteReceipt } from '../../src/payments/exceptions/note-receipt.ts';
import { notesOf } from '../../src/payments/exceptions/store.ts';
import { EVERYTHING, lockRefund, moveRefund } from '../../src/payments/refunds/move.ts';
import { linkReports } from '../../src/payments/refunds/reported.ts';
import { lockTransaction } from '../../src/payments/store.ts';
import { CREDENTIALS } from '../banks/support.ts';
import { draftedTransfer, paidRefundKit, refundKit } from '../payments/refund-kit.ts';
import { firstOf, SETTINGS, setup } from '../payments/setup.ts';
import { holdTransaction, isAnyWaiting, race } from '../support/lock-waits.ts';
import { until } from '../support/until.ts';

/** Reports a payment as refunded elsewhere in a transaction that stays open. Resolves to a function that commits it. */
function holdReport(
  { deps, account }: Awaited<ReturnType<typeof setup>>,
  { requestId, amount }: Pick<BankRecord, 'requestId' | 'amount'>,
): Promise<() => Promise<void>> {
  const report = { identity: 'elsewhere', accountIds: [account], requestId, amount };
  return holdTransaction(deps.db, (tx) => refundKit({ deps, account }).port.applyNotification(tx, report));
}

test('a report of a refund that is stored while its payment is recorded blocks another refund', async () => {
  const made = await setup();
  const row = made.bank.foreign(cents(700));
  const commit = await holdReport(made, row);
  await made.settlement.recordPayments(made.account, [row]);
  await commit();
  const receiptId = firstOf(await made.receipts()).id;
  await expect(refundKit(made).create({ receiptId })).rejects.toThrow('made elsewhere');
});

test('concurrent notifications of two equal refunds settle one each', async () => {
  const kit = await paidRefundKit();
  const made = await kit.answered(300, { kind: 'done' });
  const unclear = await kit.answered(300, { kind: 'unknown', detail: 'no answer' });
  const notify = (identity: string) => (deps: Deps) =>
    refundKit({ ...kit, deps }).notify(kit.requestId, 300, identity);
  await race(kit.deps, notify('one'), notify('two'));
  expect(await kit.row(made)).toMatchObject({ state: 'done', notification: 'one' });
  expect(await kit.row(unclear)).toMatchObject({ state: 'done', notification: 'two' });
});

test('an erasure keeps what a concurrent change writes to a refund', async () => {
  const kit = await paidRefundKit();
  const { deps, merchant, transactionId } = kit;
  const refundId = await kit.sent(1000);
  const commit = await holdTransaction(deps.db, async (tx) => {
    const locked = await lockRefund(tx, refundId, EVERYTHING);
    await moveRefund(tx, deps, locked, 'bank_unknown', { detail: 'no answer' });
  });
  const key = { id: transactionId, merchant_id: merchant.id };
  const erasure = deps.db.unit((tx) =>
    eraseTransaction(tx, key, { scrub: (value) => value, isRepeated: false }),
  );
  await until(() => isAnyWaiting(deps.db));
  await Promise.all([commit(), erasure]);
  expect(await kit.row(refundId)).toMatchObject({ state: 'unknown', detail: 'no answer', name: null });
});

test.each(['assigned', 'credited'])('a receipt is not %s when the bank reports its refund', async (end) => {
  const made = await setup();
  const { deps, bank, receipts } = made;
  const transactionId = await made.init();
  const row = bank.foreign(cents(500));
  bank.foreign(cents(500));
  await made.pass(SETTINGS.reconcileMs);
  const rows = await receipts();
  const assign = (receiptId: Id<'rcp'>) => assignReceipt(deps, { receiptId, transactionId, note: '' });
  if (end === 'credited') for (const { id } of rows) await assign(id);
  // Both were paid in the same second, so they may be recorded in either order.
  const reported = firstOf(rows.filter((receipt) => receipt.request_id === row.requestId)).id;
  const commit = await holdReport(made, row);
  const settled = end === 'assigned' ? assign(reported) : creditTransaction(deps, transactionId);
  settled.catch(() => {});
  await until(() => isAnyWaiting(deps.db));
  await commit();
  await expect(settled).rejects.toThrow(Refusal);
});

test('a report that is linked while its receipt is assigned blocks a refund', async () => {
  const made = await setup();
  const { deps, bank } = made;
  const credentials = { ...CREDENTIALS, mbKey: 'OWN-000002' };
  const { account: replacement } = await setBankAccount(deps, { merchantId: null, credentials });
  const transactionId = await made.init();
  const row = bank.foreign(cents(700));
  row.methodKey = credentials.mbKey;
  await made.pass(SETTINGS.reconcileMs);
  const { id: receiptId, account_id } = firstOf(await made.receipts());
  expect(account_id).toBe(replacement);
  await race(
    deps,
    (by) => assignReceipt(by, { receiptId, transactionId, note: '' }),
    async (by) => {
      await (await holdReport(made, row))();
      await linkReports(by);
    },
  );
  await expect(refundKit(made).create({ receiptId })).rejects.toThrow('made elsewhere');
});

test('a transfer is not exported when the bank reports its refund', async () => {
  const made = await draftedTransfer({ isAssigned: true });
  const commit = await holdReport(made, made.row);
  const marked = made.mark();
  marked.catch(() => {});
  await until(() => isAnyWaiting(made.deps.db));
  await commit();
  await expect(marked).rejects.toThrow('has just been changed');
});

test('an export does not wait for locked transactions', async () => {
  const { deps, transactionId, mark } = await draftedTransfer({ isAssigned: true });
  await deps.db.unit(async (tx) => {
    await lockTransaction(tx, transactionId);
    await mark();
  });
});

test('a note that is written while its receipt is assigned stays with the receipt', async () => {
  const { deps, bank, pass, receipts, init } = await setup();
  bank.foreign(cents(700));
  await pass(SETTINGS.reconcileMs);
  const receiptId = firstOf(await receipts()).id;
  const transactionId = await init();
  const operator = { merchantId: null, operator: true };
  await race(
    deps,
    (by) => noteReceipt(by, operator, { receiptId, text: 'called the bank', internal: false }),
    (by) => assignReceipt(by, { receiptId, transactionId, note: '' }),
  );
  const notes = await notesOf(deps.db.read, firstOf(await receipts()));
  expect(notes.map(({ text }) => text)).toContain('called the bank');
});

test('of several processes that find the same check due, one makes it', async () => {
  const { settlement, clock, pushed } = await setup();
  await pushed();
  const due = firstOf(await settlement.dueAttempts(clock.now() + SETTINGS.inquiryMs, 10));
  const claims = await Promise.all([1, 2, 3].map(() => settlement.claimCheck(due)));
  expect(claims.filter(Boolean)).toHaveLength(1);
});
