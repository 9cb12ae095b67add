import { expect, onTestFinished, test } from 'vitest';
import { BankUnavailable } from '../../src/banks/port.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { BankAttempt } from '../../src/banks/settlement-port.ts';
import { createAvailability } from '../../src/banks/workers/availability.ts';
import { createCallbackWorker } from '../../src/banks/workers/callback-worker.ts';
import { receiveCallback } from '../../src/banks/workers/receive-callback.ts';
import { lisbonText } from '../../src/kernel/lisbon.ts';
import { insertRows, selectRow, selectRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import {
  adapter,
  bankAttempt,
  bankRecord,
  CREDENTIALS,
  callbackOf,
  NO_REFUNDS,
  workerKit,
} from './support.ts';

const KEY = `key=${CREDENTIALS.antiPhishingKey}`;

/**
 * The endpoint and the worker behind it. Without `attempt` there is none; what it leaves out is that of an open push. Callbacks
 * arrive by `call`; `worker` runs only when a test starts it.
 */
async function setup(attempt?: Partial<BankAttempt>) {
  const kit = await workerKit();
  if (attempt !== undefined)
    kit.settlement.attempts.push(bankAttempt({ account_id: kit.account, ...attempt }));
  const { db, clock, deps, bank, bankAccounts } = kit;
  bank.readCallback = adapter('http://127.0.0.1:9').bank.readCallback;
  const inquiries = createAvailability(deps, 'inquiries');
  const worker = createCallbackWorker({ ...deps, bankAccounts, inquiries });
  onTestFinished(() => worker.stop());
  const callbackDeps = { ...deps, refunds: NO_REFUNDS, wakeBankWorkers: () => worker.wake() };
  const callbacks = () => selectRows(db, 'bank_hints');
  const callback = () => selectRow(db, 'bank_hints');
  return {
    ...kit,
    inquiries,
    worker,
    callbacks,
    callback,
    call: (query: string) => receiveCallback(callbackDeps, 'ifthenpay', callbackOf(query)),
    /** Moves the clock and waits until this many checks were counted. */
    async checks(count: number, afterMs = 0) {
      await clock.advance(afterMs);
      await until(async () => (await callback()).checks_count === count, `check ${count}`);
    },
  };
}

test('a callback is committed, due at once, before it is answered', async () => {
  const { call, callbacks, clock, account } = await setup();
  expect(await call(`${KEY}&orderId=A1&amount=12.50&requestId=r1`)).toBe(200);
  expect(await callbacks()).toMatchObject([
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
});

test('a callback with a wrong key is refused and not stored', async () => {
  const { call, callbacks } = await setup();
  expect(await call('key=wrong&orderId=A1')).toBe(403);
  expect(await call('orderId=A1')).toBe(403);
  expect(await callbacks()).toEqual([]);
});

test('a genuine callback that cannot be read is acknowledged and logged', async () => {
  const { bank, call, callbacks, lines } = await setup();
  bank.readCallback = () => ({ kind: 'unreadable', detail: 'no transaction' });
  expect(await call('')).toBe(200);
  expect(lines).toMatchObject([{ level: 50, detail: 'no transaction' }]);
  expect(await callbacks()).toEqual([]);
});

test('an account whose credentials cannot be read stops no callback of others', async () => {
  const { db, call, callbacks } = await setup();
  await insertRows(db, 'bank_accounts', { id: 'acc_unreadable' });
  expect(await call(`${KEY}&orderId=A`)).toBe(200);
  expect(await callbacks()).toHaveLength(1);
  await expect(call('key=perhaps-of-that-account&orderId=A')).rejects.toThrow();
  // The account that cannot be read may have made the refund.
  await expect(call(`${KEY}&orderId=A&status=DEVOLVIDO`)).rejects.toThrow();
});

test('a repeated callback starts its checks again; another payment time is another callback', async () => {
  const { call, callbacks, clock, db } = await setup();
  await call(`${KEY}&orderId=A1&payment_datetime=15-01-2026 12:00:00`);
  await db.unit((tx) => tx.updateTable('bank_hints').set({ checks_count: 4, check_at: null }).execute());
  await clock.advance(1000);
  await call(`payment_datetime=15-01-2026 12:00:00&orderId=A1&${KEY}`);
  expect(await callbacks()).toMatchObject([
    { checks_count: 0, check_at: clock.now(), received_at: clock.now() },
  ]);
  await call(`${KEY}&orderId=A1&payment_datetime=15-01-2026 12:00:01`);
  expect(await callbacks()).toHaveLength(2);
});

test('a differing amount is logged once, without the query, and changes nothing', async () => {
  const { call, checks, lines, settlement, worker } = await setup({});
  worker.start();
  expect(await call(`${KEY}&orderId=A1&amount=12.51`)).toBe(200);
  await checks(1);
  await checks(2, 5000);
  expect(lines).toMatchObject([{ level: 40, attemptId: 'att_1', amountCents: 1250, callbackCents: 1251 }]);
  expect(JSON.stringify(lines)).not.toContain(CREDENTIALS.antiPhishingKey);
  expect([settlement.recorded, settlement.calls]).toEqual([[], []]);
});

test('an inquiry after a callback ends the outage that an earlier inquiry began', async () => {
  const { bank, inquiries, settlement, account, call, checks, lines, worker } = await setup({});
  inquiries.unavailable(account, 'inquire: HTTP 500');
  bank.inquire = async () => ({ kind: 'paid', paidAt: 0, identity: 'ours' });
  worker.start();
  await call(`${KEY}&orderId=A1&amount=12.50`);
  await checks(1);
  expect(settlement.calls).toEqual(['answered att_1 paid']);
  expect(lines).toMatchObject([{ level: 40 }, { level: 30, msg: 'the bank answers again' }]);
});

test("without a payment the bank's record is read 0, 5, 30 and 120 s after the callback, then no more", async () => {
  const { clock, bank, call, callback, checks, lines, worker } = await setup();
  const start = clock.now();
  const times: number[] = [];
  bank.list = async () => {
    times.push(clock.now() - start);
    return [];
  };
  worker.start();
  await call(`${KEY}&orderId=A1`);
  await checks(1);
  await checks(2, 5000);
  await checks(3, 25_000);
  await checks(4, 90_000);
  await clock.advance(600_000);
  expect(times).toEqual([0, 5000, 30_000, 120_000]);
  expect(await callback()).toMatchObject({ checks_count: 4, check_at: null });
  expect(lines).toMatchObject([{ msg: 'a bank callback names no order that is known here' }]);
});

test('a callback without an order is logged, and the bank is asked about its request id', async () => {
  const { bank, call, checks, callback, lines, worker } = await setup();
  worker.start();
  await call(`${KEY}&requestId=r1`);
  await checks(1);
  const { id } = await callback();
  const msg = 'a bank callback names no order that is known here';
  expect(lines).toMatchObject([{ level: 40, callbackId: id, bankOrderId: null, msg }]);
  expect(bank.listed).toMatchObject([{ filter: { requestId: 'r1' } }]);
});

test('a confirmed callback ends no check of another that arrived at the same instant', async () => {
  const { clock, bank, call, callbacks, worker } = await setup({});
  bank.inquire = async () => ({ kind: 'paid', paidAt: 0, identity: 'ours' });
  await call(`${KEY}&orderId=A1&amount=12.50`);
  await call(`${KEY}&orderId=A2&amount=12.50`);
  worker.start();
  await until(async () => (await callbacks()).every((row) => row.checks_count === 1));
  const planned = (await callbacks()).map((row) => [row.bank_order_id, row.check_at] as const);
  expect(new Map(planned)).toEqual(
    new Map([
      ['A1', null],
      ['A2', clock.now() + 5000],
    ]),
  );
  await clock.advance(5000);
  expect((await callbacks()).map((row) => row.checks_count).toSorted()).toEqual([1, 2]);
});

test("the bank's record is read for as long as ever after the clock was set back by an hour", async () => {
  const { clock, call, callback, checks, worker } = await setup();
  worker.start();
  await call(`${KEY}&orderId=A1`);
  await checks(1);
  await clock.jump(-3_600_000);
  await checks(2, 5000);
  await checks(3, 30_000);
  await checks(4, 120_000);
  expect(await callback()).toMatchObject({ check_at: null });
});

test("an older payment of the same reference does not end the checks for the newer one's", async () => {
  const made = await setup({ method: 'REFERENCE', state: 'paid' });
  const { clock, bank, settlement, account, call, callback, checks, worker } = made;
  const older = bankRecord({ identity: 'older', method: 'REFERENCE', paidAt: clock.now() - 60_000 });
  const newer = bankRecord({ identity: 'newer', method: 'REFERENCE', paidAt: clock.now() });
  bank.list = async () => [older];
  worker.start();
  await call(`${KEY}&orderId=A1&payment_datetime=${lisbonText(clock.now())}`);
  await checks(1);
  expect((await callback()).check_at).not.toBeNull();
  bank.list = async () => [newer, older];
  await checks(2, 5000);
  expect(settlement.recorded).toContainEqual({ accountId: account, identity: 'newer' });
  expect((await callback()).check_at).toBeNull();
});

test('an open push is inquired about by the request id from its creation, not by that of the callback', async () => {
  const { bank, settlement, call, callback, checks, worker } = await setup({ request_id: 'ours' });
  bank.inquire = async () => ({ kind: 'paid', paidAt: 0, identity: 'ifthenpay:ours' });
  worker.start();
  await call(`${KEY}&orderId=A1&requestId=theirs`);
  await checks(1);
  expect(bank.inquired).toEqual(['ours']);
  expect(settlement.calls).toEqual(['answered att_1 paid']);
  expect(bank.listed).toEqual([]);
  expect((await callback()).check_at).toBeNull();
});

test('a callback is confirmed by the list while inquiries fail', async () => {
  const { bank, settlement, account, call, callback, checks, worker } = await setup({});
  bank.inquire = () => Promise.reject(new BankUnavailable('inquire: HTTP 500'));
  bank.list = async () => [bankRecord({ identity: 'ours' })];
  worker.start();
  await call(`${KEY}&orderId=A1`);
  await checks(1);
  expect(settlement.recorded).toEqual([{ accountId: account, identity: 'ours' }]);
  expect((await callback()).check_at).toBeNull();
});

test('a push that is already paid needs no request to the bank', async () => {
  const { bank, call, callback, checks, worker } = await setup({ state: 'paid' });
  worker.start();
  await call(`${KEY}&orderId=A1`);
  await checks(1);
  expect([bank.inquired, bank.listed]).toEqual([[], []]);
  expect((await callback()).check_at).toBeNull();
});

test("the list is read with the attempt's own account, not with that of the callback's key", async () => {
  const { bank, settlement, deps, call, checks, worker, account } = await setup();
  const credentials = { ...CREDENTIALS, mbKey: 'NEW-000001' };
  const other = (await setBankAccount(deps, { merchantId: null, credentials })).account;
  settlement.attempts.push(bankAttempt({ account_id: other, method: 'REFERENCE' }));
  worker.start();
  await call(`${KEY}&orderId=A1`);
  await checks(1);
  expect(bank.listed).toEqual([{ filter: { bankOrderId: 'A1' }, accountId: other }]);
  expect(other).not.toBe(account);
});

test('an unavailable bank or an internal error uses up a check and never ends the worker', async () => {
  const { bank, settlement, call, checks, lines, worker } = await setup();
  bank.list = () => Promise.reject(new BankUnavailable('list: HTTP 500'));
  worker.start();
  await call(`${KEY}&orderId=A1`);
  await checks(1);
  bank.list = () => Promise.reject(new Error('a fault of ours'));
  await checks(2, 5000);
  expect(lines.filter(({ level }) => level === 50)).toHaveLength(1);
  bank.list = async () => [bankRecord({ identity: 'x' })];
  await checks(3, 25_000);
  expect(settlement.recorded).toHaveLength(1);
});

test('a callback repeated while its check runs starts its checks again', async () => {
  const { clock, bank, call, callback, worker } = await setup();
  const answers: ((records: never[]) => void)[] = [];
  bank.list = () => new Promise((resolve) => answers.push(resolve));
  worker.start();
  await call(`${KEY}&orderId=A1`);
  await until(() => answers.length === 1);
  await clock.advance(1000);
  await call(`${KEY}&orderId=A1`);
  answers[0]?.([]);
  await clock.advanceUntil(200, () => answers.length === 2);
  expect(await callback()).toMatchObject({ checks_count: 0 });
  answers[1]?.([]);
  await until(async () => (await callback()).checks_count === 1);
});

test("a callback of another account than the attempt's reads its own account and logs an error", async () => {
  const { deps, bank, worker, call, checks, lines } = await setup({});
  const merchantId = deps.ids('mer');
  await insertRows(deps.db, 'merchants', { id: merchantId });
  const credentials = { ...CREDENTIALS, mbWayKey: 'OWN-000001', antiPhishingKey: 'another-key' };
  const { account: other } = await setBankAccount(deps, { merchantId, credentials });
  await call('key=another-key&orderId=A1');
  worker.start();
  await checks(1);
  expect(bank.inquired).toEqual([]);
  expect(bank.listed).toEqual([{ filter: { bankOrderId: 'A1' }, accountId: other }]);
  expect(lines.map(({ msg }) => msg)).toContain('a callback of another bank account names an attempt');
});
