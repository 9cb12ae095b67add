import { expect, test } from 'vitest';
import { fakeClock } from '../support/fake-clock.ts';
import { BO_KEY, MB_KEY, MBWAY_KEY, sandbox } from './support.ts';

const ids = (rows: Record<string, unknown>[]) => rows.map((row) => row.requestId);

test('a reference paid twice in one second is two equal rows', async () => {
  const bank = await sandbox();
  const made = (await bank.reference()).body;
  for (let i = 0; i < 2; i++) {
    const paid = await bank.payAtm(made);
    expect([paid.status, paid.body]).toEqual([200, { requestId: made.RequestId }]);
  }
  const rows = await bank.record();
  const plain = rows.map((row) => ({
    ...row,
    amount: Number(row.amount),
    fee: Number(row.fee),
    netAmount: Number(row.netAmount),
    entity: String(row.entity),
  }));
  expect(plain[0]).toEqual({
    amount: 45,
    entity: String(made.Entity),
    fee: 0.37,
    netAmount: 44.63,
    orderId: 'order-2',
    paymentDate: '15-01-2026 12:00:00',
    procDate: '20260115',
    reference: made.Reference,
    requestId: made.RequestId,
    subEntity: MB_KEY,
    terminal: '5-0000000000-SANDBOX ATM',
  });
  expect(plain[1]).toEqual(plain[0]);
});

test('a reference can be paid with another amount, and after its last day', async () => {
  const clock = fakeClock();
  const bank = await sandbox({ clock });
  const made = (await bank.reference({ expiryDays: 0 })).body;
  await clock.advance(5 * 86_400_000);
  expect((await bank.payAtm(made, { amount: 44.99 })).status).toBe(200);
  const [row] = await bank.record({ entity: 'MB' });
  expect([Number(row?.amount), row?.paymentDate]).toEqual([44.99, '20-01-2026 12:00:00']);
});

test('a paid push is one row, named MBWAY, and every filter selects by exact match', async () => {
  const bank = await sandbox();
  const first = await bank.paidPush();
  const second = await bank.paidPush({ orderId: 'order-9', amount: '7.00', mbWayKey: 'XYZ-000001' });
  expect(ids(await bank.record())).toEqual([second, first]);
  const [row] = await bank.record({ requestId: first });
  expect(row).toMatchObject({
    entity: 'MBWAY',
    subEntity: MBWAY_KEY,
    orderId: 'order-1',
    reference: 'order-1',
  });
  expect(ids(await bank.record({ orderId: 'order-9' }))).toEqual([second]);
  expect(ids(await bank.record({ amount: '7.00' }))).toEqual([second]);
  expect(ids(await bank.record({ subEntity: MBWAY_KEY }))).toEqual([first]);
  expect(ids(await bank.record({ reference: 'order-9' }))).toEqual([second]);
  expect(ids(await bank.record({ entity: 'MBWAY', orderId: '', requestId: null }))).toEqual([second, first]);
  expect(await bank.record({ entity: 'MB' })).toEqual([]);
  expect(await bank.record({ entity: '11990' })).toEqual([]);
});

test('date filters are in Lisbon time and inclusive', async () => {
  const clock = fakeClock(Date.UTC(2026, 6, 1, 11, 0, 0, 400));
  const bank = await sandbox({ clock });
  const first = await bank.paidPush();
  await clock.advance(1000);
  const second = await bank.paidPush({ orderId: 'order-9' });
  const between = async (dateStart: string, dateEnd: string) =>
    ids(await bank.record({ dateStart, dateEnd }));
  expect(await between('01-07-2026 12:00:00', '01-07-2026 12:00:01')).toEqual([second, first]);
  expect(await between('01-07-2026 12:00:00', '01-07-2026 12:00:00')).toEqual([first]);
  expect(await between('01-07-2026 12:00:01', '01-07-2026 12:00:01')).toEqual([second]);
  expect(await between('01-07-2026 12:00:02', '02-07-2026 12:00:00')).toEqual([]);
  expect(await between('01-07-2026 11:59:59', '01-07-2026 12:00')).toEqual([second, first]);
});

test('an invalid key, date or amount returns no rows', async () => {
  const bank = await sandbox();
  await bank.paidPush();
  for (const faulty of [
    { boKey: 'x' },
    { dateStart: '2026-01-15' },
    { dateEnd: '31-02-2026 00:00:00' },
    { amount: 'x' },
  ]) {
    const answer = await bank.post('/v2/payments/read', { boKey: BO_KEY, ...faulty });
    expect([answer.status, answer.body.payments]).toEqual([200, []]);
    expect(answer.body.status).not.toBe(200);
  }
});

test('a backoffice key sees its own and unclaimed method keys, not those of another key', async () => {
  const bank = await sandbox();
  const mine = await bank.paidPush();
  const unclaimed = await bank.paidPush({ orderId: 'order-9', mbWayKey: 'XYZ-000001' });
  expect(ids(await bank.record())).toEqual([unclaimed, mine]);
  await bank.activate('http://127.0.0.1:9/cb', { subentidade: MBWAY_KEY });
  expect(ids(await bank.record())).toEqual([unclaimed, mine]);
  expect(ids(await bank.record({ boKey: '9999-9999-9999-9999' }))).toEqual([unclaimed]);
});

test('at most the newest thousand rows are returned', async () => {
  const bank = await sandbox();
  const made = (await bank.reference()).body;
  for (let i = 0; i < 10; i++) {
    const batch = Array.from({ length: 101 }, (_, n) =>
      bank.payAtm(made, { amount: i === 9 && n === 100 ? 3 : 2 }),
    );
    await Promise.all(batch);
  }
  const rows = await bank.record();
  expect(rows.length).toBe(1000);
  expect(rows.slice(0, 101).some((row) => Number(row.amount) === 3)).toBe(true);
});
