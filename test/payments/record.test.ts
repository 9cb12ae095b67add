import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { cents } from '../../src/kernel/money.ts';
import { startMbway } from '../../src/payments/mbway.ts';
import { createSettlement } from '../../src/payments/settlement.ts';
import { bankRecord, CREDENTIALS } from '../banks/support.ts';
import { insertRows, selectRow, updateRows } from '../support/rows.ts';
import { firstOf, SETTINGS, setup } from './setup.ts';

const DAY = 86_400_000;

/** A trigger or a constraint stands for whatever makes one row impossible. */
async function refuse(db: Database, identity: string): Promise<void> {
  const it = sql.lit(identity);
  const run = (statement: ReturnType<typeof sql>) =>
    db.unit(async (tx) => void (await statement.execute(tx)));
  if (db.engine === 'sqlite') {
    await run(sql`create trigger refuse before insert on receipts when new.identity = ${it}
      begin select raise(abort, 'refused by the test'); end`);
    return;
  }
  await run(sql`alter table receipts add constraint refuse check (identity <> ${it})`);
  onTestFinished(() => run(sql`alter table receipts drop constraint refuse`));
}

test('a row that cannot be recorded blocks no other row of the list', async () => {
  const { deps, bank, pass, receipts } = await setup();
  const bad = bank.foreign(cents(100));
  await refuse(deps.db, bad.identity);
  for (let i = 0; i < 450; i++) bank.foreign(cents(200 + i));
  for (const row of bank.rows) row.paidAt -= 20 * DAY;
  bank.foreign(cents(999));
  await pass(SETTINGS.reconcileMs);
  expect(await receipts()).toHaveLength(451);
});

test('a row whose attempt cannot be looked up blocks no other row of the list', async () => {
  const { deps, settlement, account, bank, receipts } = await setup();
  const rows = Array.from({ length: 401 }, () => bank.foreign(cents(100)));
  const fault = new Error('the read was cancelled');
  vi.spyOn(deps.db.read, 'selectFrom').mockImplementationOnce(() => {
    throw fault;
  });
  await expect(settlement.recordPayments(account, rows)).rejects.toBe(fault);
  expect(await receipts()).toHaveLength(400);
});

test.each([
  [{ requestId: 'PUSH', bankOrderId: 'SHOP-17', paymentId: '7001' }, false],
  [{ requestId: 'PUSH', bankOrderId: null, paymentId: '7001' }, true],
  [{ requestId: 'PUSH', bankOrderId: 'SHOP-17' }, true],
])('a row %j pays the push with this request id: %s', async (names, pays) => {
  const { deps, settlement, bank, account, pushed, status, receipts } = await setup();
  const id = await pushed();
  await updateRows(deps.db, 'attempts', { request_id: 'PUSH' });
  const { amount } = firstOf(bank.pushes);
  const row = bankRecord({ identity: 'row', amount, ...names });
  await settlement.recordPayments(account, [row]);
  expect(await status(id)).toBe(pays ? 'paid' : 'pending');
  expect(await receipts()).toMatchObject([{ unmatched: pays ? 0 : 1, transaction_id: pays ? id : null }]);
});

test('payments of one transaction that are found together count in the order in which they were made', async () => {
  const { deps, merchant, bank, clock, referred, pass, receipts } = await setup();
  const id = await referred();
  await startMbway(deps, merchant, { transactionId: id, phoneNumber: '912345678' });
  const reference = firstOf(bank.references);
  const orders = [reference, firstOf(bank.pushes), reference, reference];
  const start = clock.now();
  for (const [seconds, { orderId }] of orders.entries()) {
    const row = bank.foreign(cents(seconds === 0 ? 400 : 1000));
    Object.assign(row, { bankOrderId: orderId, paidAt: start + seconds * 1000 });
  }
  // As the bank lists them.
  bank.rows.reverse();
  await pass(SETTINGS.reconcileMs);
  const made = (await receipts()).toSorted((a, b) => a.paid_at - b.paid_at);
  expect(made.map(({ under, duplicate }) => ({ under, duplicate }))).toEqual([
    { under: 1, duplicate: 0 },
    { under: 0, duplicate: 0 },
    { under: 0, duplicate: 1 },
    { under: 0, duplicate: 1 },
  ]);
  expect(await selectRow(deps.db, 'transactions', { id })).toMatchObject({ paid_at: start + 1000 });
});

test('a payment without a readable time has one time of payment, which is not after its recording', async () => {
  const { deps, account, bank, pushed, receipts } = await setup();
  const id = await pushed();
  const { orderId, amount } = firstOf(bank.pushes);
  let now = deps.clock.now();
  const settlement = createSettlement({ ...deps, clock: { ...deps.clock, now: () => ++now } });
  const row = bankRecord({ identity: 'row', amount, bankOrderId: orderId, paidAt: null });
  await settlement.recordPayments(account, [row]);
  const { paid_at } = await selectRow(deps.db, 'transactions', { id });
  const [receipt] = await receipts();
  expect(receipt?.paid_at).toBe(paid_at);
  expect(receipt?.recorded_at).toBeGreaterThanOrEqual(paid_at ?? now);
});

test('a row with another amount than its receipt is logged once, unless a refund explains it', async () => {
  const { bank, deps, pushed, pass, receipts, lines } = await setup();
  const logged = () =>
    lines.filter(({ msg }) => msg.startsWith("a row of the bank's list has another amount"));
  await pushed();
  const row = bank.answer(firstOf(bank.pushes), 'paid');
  if (row === null) throw new Error('no row');
  await pass(SETTINGS.inquiryMs);
  const { id, amount_cents } = firstOf(await receipts());
  expect(amount_cents).toBe(1000);
  await pass(SETTINGS.reconcileMs);
  expect(logged()).toEqual([]);
  row.amount = cents(1200);
  for (let read = 0; read < 2; read++) await pass(SETTINGS.reconcileMs);
  expect(logged()).toMatchObject([{ receiptId: id, receivedCents: 1000, listedCents: 1200 }]);
  row.amount = cents(800);
  await updateRows(deps.db, 'receipts', { id }, { refund_cents: cents(200) });
  await pass(SETTINGS.reconcileMs);
  expect(logged()).toHaveLength(1);
  expect(await receipts()).toMatchObject([{ amount_cents: 1000 }]);
});

test('an account whose credentials cannot be read does not stop the reconciliation of others', async () => {
  const { deps, bank, pass, receipts } = await setup();
  await insertRows(deps.db, 'bank_accounts', { id: 'acc_unreadable' });
  bank.foreign(cents(100)).methodKey = CREDENTIALS.mbKey;
  await pass(SETTINGS.reconcileMs);
  expect(await receipts()).toHaveLength(1);
});

test('after the clock was set back, reconciliation reads the time in between', async () => {
  const { bank, pass, receipts, clock } = await setup();
  const start = clock.now();
  await pass(40 * DAY);
  bank.foreign(cents(100)).paidAt = start + DAY / 12;
  await pass(SETTINGS.reconcileMs);
  expect(await receipts()).toHaveLength(0);
  await clock.jump(-38 * DAY);
  await pass(SETTINGS.reconcileMs);
  expect(await receipts()).toHaveLength(1);
});

test('a paid push whose receipt belongs elsewhere is checked rarely, not continuously', async () => {
  const { settlement, account, bank, pushed, pass } = await setup();
  await pushed();
  const push = firstOf(bank.pushes);
  bank.listUnavailable = true;
  const row = bank.answer(push, 'paid');
  if (row === null) throw new Error('no row');
  await settlement.recordPayments(account, [{ ...row, bankOrderId: 'ELSEWHERE', requestId: 'another' }]);
  const asking = pass(SETTINGS.inquiryMs);
  const outcome = await Promise.race([
    asking,
    new Promise((resolve) => setTimeout(resolve, 1000, 'no rest')),
  ]);
  expect(outcome).toBe(undefined);
  expect(bank.inquiriesCount).toBeLessThan(5);
});
