import { expect, test } from 'vitest';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { receiveCallback } from '../../src/banks/workers/receive-callback.ts';
import { cents } from '../../src/kernel/money.ts';
import { temporaryDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { accountDeps, adapter, CREDENTIALS, insertAttempt, keptLog } from './support.ts';

async function setup() {
  const db = await temporaryDatabase();
  const clock = fakeClock();
  const kept = keptLog();
  let wakes = 0;
  const deps = {
    ...accountDeps(db, clock),
    log: kept.log,
    bank: adapter('http://127.0.0.1:9').bank,
    wakeBankWorkers: () => {
      wakes += 1;
    },
  };
  const { account } = await setBankAccount(deps, { merchantId: null, credentials: CREDENTIALS });
  return {
    ...{ db, clock, deps, account, lines: kept.lines, wakes: () => wakes },
    call: (text: string) => receiveCallback(deps, new URLSearchParams(text)),
    hints: () => db.read.selectFrom('bank_hints').selectAll().execute(),
  };
}

const KEY = `key=${CREDENTIALS.antiPhishingKey}`;

test('a callback is on disk, due at once, before it is answered, and wakes the desk', async () => {
  const { call, hints, clock, account, wakes } = await setup();
  expect(await call(`${KEY}&orderId=A1&amount=12.50&requestId=r1`)).toBe(200);
  expect(await hints()).toMatchObject([
    {
      account_id: account,
      bank_order_id: 'A1',
      request_id: 'r1',
      amount_cents: 1250,
      params: JSON.stringify({ orderId: 'A1', amount: '12.50', requestId: 'r1' }),
      received_at: clock.now(),
      checks_count: 0,
      check_at: clock.now(),
    },
  ]);
  expect(wakes()).toBe(1);
});

test('a wrong key is refused and leaves nothing behind', async () => {
  const { call, hints, wakes } = await setup();
  expect(await call('key=wrong&orderId=A1')).toBe(403);
  expect(await call('orderId=A1')).toBe(403);
  expect(await hints()).toEqual([]);
  expect(wakes()).toBe(0);
});

test('the same callback again arms the same hint anew; another payment time is another hint', async () => {
  const { call, hints, clock, db } = await setup();
  await call(`${KEY}&orderId=A1&payment_datetime=15-01-2026 12:00:00`);
  await db.unit((tx) => tx.updateTable('bank_hints').set({ checks_count: 4, check_at: null }).execute());
  await clock.advance(1000);
  await call(`payment_datetime=15-01-2026 12:00:00&orderId=A1&${KEY}`);
  expect(await hints()).toMatchObject([{ checks_count: 0, check_at: clock.now(), received_at: clock.now() }]);
  await call(`${KEY}&orderId=A1&payment_datetime=15-01-2026 12:00:01`);
  expect(await hints()).toHaveLength(2);
});

test('another amount than was asked is logged, without the query, and changes nothing', async () => {
  const { call, hints, lines, db, deps, account } = await setup();
  const attempt = { accountId: account, method: 'MBWAY', bankOrderId: 'A1', amount: cents(1250) } as const;
  const attemptId = await insertAttempt(db, deps.ids, attempt);
  await call(`${KEY}&orderId=A1&amount=12.50`);
  expect(lines).toEqual([]);
  expect(await call(`${KEY}&orderId=A1&amount=12.51`)).toBe(200);
  expect(lines).toMatchObject([{ level: 40, attemptId, askedCents: 1250, calledBackCents: 1251 }]);
  expect(JSON.stringify(lines)).not.toContain(CREDENTIALS.antiPhishingKey);
  expect(await hints()).toHaveLength(2);
});
