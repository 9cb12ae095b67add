import { expect, test } from 'vitest';
import { systemClock } from '../../../src/kernel/clock.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { lisbonDay } from '../../../src/kernel/lisbon.ts';
import { setMerchant } from '../../../src/merchants/set-merchant.ts';
import { assignReceipt } from '../../../src/payments/exceptions/assign-receipt.ts';
import { creditTransaction } from '../../../src/payments/exceptions/credit-transaction.ts';
import { releaseTransaction } from '../../../src/payments/release.ts';
import { showTransaction } from '../../../src/payments/show.ts';
import { countCreated } from '../../../src/payments/totals.ts';
import { temporaryDatabase } from '../../support/database.ts';
import { startService, startWithMerchant } from '../../support/harness.ts';
import { checkTotals } from '../../support/recount.ts';
import { insertRows } from '../../support/rows.ts';
import { until } from '../../support/until.ts';
import { signedIn } from '../support.ts';
import { cases } from '../web/money-cases.ts';

const METHOD_DAYS = 'daily_method_totals';

test('a payment, a rejection, a credit and a release are each counted once, on the day of the change', async () => {
  const { service, deps, merchant } = await startWithMerchant();
  const push = async (phoneNumber: string, wanted: string) => {
    const id = await merchant.push(phoneNumber);
    await merchant.reaches(id, wanted);
  };
  const paid = async () =>
    (await deps.db.read.selectFrom(METHOD_DAYS).select('paid_count').execute()).reduce(
      (sum, row) => sum + row.paid_count,
      0,
    );
  await Promise.all([push('911000001', 'paid'), push('911000002', 'failed')]);
  await checkTotals(deps.db.read);
  expect(await paid()).toBe(1);

  const referred = async (amounts: number[]) => {
    const { id, mb } = await merchant.reference();
    for (const amount of amounts) await service.control('/multibanco', { ...mb, amount });
    const received = async () => (await showTransaction(deps, id)).receipts.length === amounts.length;
    await until(received, 'the receipts');
    return id;
  };
  const short = await referred([10, 9.99]);
  await checkTotals(deps.db.read);
  expect(await paid()).toBe(1);
  await creditTransaction(deps, short);
  await expect(creditTransaction(deps, short)).rejects.toThrow();
  await checkTotals(deps.db.read);
  expect(await paid()).toBe(2);

  await setMerchant(deps, merchant.merchantId, { hold: true });
  const held = await referred([19.99, 19.99]);
  await checkTotals(deps.db.read);
  expect(await paid()).toBe(2);
  await releaseTransaction(deps, held);
  await checkTotals(deps.db.read);
  expect(await paid()).toBe(3);
});

test('overview, list, sum and download count money on the bank’s day of payment, whenever its order was created, and only pushes that were sent', async () => {
  // At noon, before a day of 24 hours.
  let offset = Date.UTC(2026, 5, 10, 12) - Date.now();
  const { service, deps, merchant } = await startWithMerchant({
    clock: { ...systemClock, now: () => Date.now() + offset },
  });
  await merchant.pay();
  await merchant.post('/payments/mbway', { transactionId: await merchant.init(), phoneNumber: '911000005' });
  await setMerchant(deps, merchant.merchantId, { hold: true });
  const { id: held, mb } = await merchant.reference();
  await service.control('/multibanco', { ...mb, amount: 19.99 });
  await until(async () => (await showTransaction(deps, held)).receipts.length === 1, 'the receipt');
  const receiptId = (await cases(service).stranger(19.99)) as Id<'rcp'>;
  const payday = lisbonDay(deps.clock.now());
  offset += 24 * 3_600_000;
  await releaseTransaction(deps, held);
  await setMerchant(deps, merchant.merchantId, { hold: false });
  // An order that is paid with money that came before it.
  const transactionId = (await merchant.init()) as Id<'tx'>;
  await assignReceipt(deps, { receiptId, transactionId, note: '' });
  await checkTotals(deps.db.read);

  const viewer = await signedIn(service, { role: 'viewer', merchantId: merchant.merchantId });
  const ask = async (name: string, input: object) =>
    (await viewer.query(name, { merchantId: merchant.merchantId, ...input })).value;
  const centsOf = (rows: { amountCents: number }[]) => rows.reduce((sum, row) => sum + row.amountCents, 0);
  const { taken, conversion } = await ask('overview.show', {});
  expect(taken[0]).toMatchObject({ now: { cents: 0, count: 0 }, before: { cents: 5997, count: 3 } });
  expect(conversion).toMatchObject([
    { method: 'MBWAY', begun: 1, paid: 1 },
    // The money that was assigned began no attempt.
    { method: 'REFERENCE', begun: 1, paid: 2 },
  ]);
  const days = { from: payday, to: payday };
  for (const filter of [{}, { attention: false }, { search: '19,99' }, { state: 'paid' }]) {
    const input = { ...days, ...filter, by: 'paid' };
    expect(await ask('transactions.sum', input)).toEqual({ count: 3, cents: 5997, more: false });
    const { rows } = await ask('transactions.list', { ...input, limit: 10 });
    expect([rows.length, rows[0].transactionId, centsOf(rows)]).toEqual([3, transactionId, 5997]);
  }
  const pushes = await ask('transactions.sum', { ...days, by: 'paid', method: 'MBWAY' });
  expect(pushes).toMatchObject({ count: 1, cents: 1999 });
  expect((await ask('transactions.list', { ...days, limit: 10 })).rows).toHaveLength(3);
  const today = { from: lisbonDay(deps.clock.now()), by: 'paid', limit: 10 };
  expect((await ask('transactions.list', today)).rows).toEqual([]);
  const query = new URLSearchParams({ merchantId: merchant.merchantId, ...days, by: 'paid', language: 'en' });
  const file = await viewer.get(`/export/transactions.csv?${query}`);
  expect([file.headers.get('x-rows-max'), file.headers.get('x-rows-exact')]).toEqual(['3', 'true']);
  expect((await file.text()).match(/,19\.99,/g)).toHaveLength(3);
});

test('the last 30 days are the same in the list of merchants and in the overview when the clocks changed since', async () => {
  // 23:30 in Lisbon; 29 times 24 hours before, it was already the next day there.
  const now = Date.UTC(2026, 10, 10, 23, 30);
  const service = await startService({ clock: { ...systemClock, now: () => now } });
  const { merchantId } = await service.merchant();
  const { db } = service.app.deps;
  const first = { day: '2026-10-12', method: 'MBWAY', attempts_count: 1, paid_count: 1 } as const;
  const total = { ...first, merchant_id: merchantId, paid_cents: 1999 as never };
  await db.unit((tx) => tx.insertInto(METHOD_DAYS).values(total).execute());
  const operator = await signedIn(service, { role: 'operator' });
  const { taken } = (await operator.query('overview.show', { merchantId })).value;
  expect(taken[2]).toMatchObject({ days: 30, now: { cents: 1999 } });
  expect((await operator.query('merchants.show', { merchantId })).value.takenCents).toBe(1999);
});

test('transactions that share a commit add to one sum, and a failed transaction adds nothing', async () => {
  const db = await temporaryDatabase();
  const merchantId: Id<'mer'> = 'mer_1';
  await insertRows(db, 'merchants', { id: merchantId });
  // Two days of Lisbon's summer: 22:59:59.999 and 23:00 UTC.
  const midnight = Date.UTC(2026, 6, 1, 23);
  const commits = Array.from({ length: 20 }, (_, index) =>
    db.unit(async (tx) => {
      const created_at = index % 2 === 0 ? midnight - 1 : midnight;
      countCreated(tx, { merchant_id: merchantId, created_at, amount_cents: 100 as never });
      if (index >= 15) throw new Error('this transaction fails');
    }),
  );
  expect((await Promise.allSettled(commits)).filter(({ status }) => status === 'rejected')).toHaveLength(5);
  const days = await db.read
    .selectFrom('daily_totals')
    .select(({ fn }) => [
      'day',
      fn.sum<number>('created_count').as('count'),
      fn.sum<number>('created_cents').as('cents'),
    ])
    .groupBy('day')
    .orderBy('day')
    .execute();
  expect(days).toEqual([
    { day: '2026-07-01', count: 8, cents: 800 },
    { day: '2026-07-02', count: 7, cents: 700 },
  ]);
});
