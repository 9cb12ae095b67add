import { expect, onTestFinished, test } from 'vitest';
import { BankUnavailable, type PushState } from '../../src/banks/port.ts';
import type { DueAttempt } from '../../src/banks/settlement-port.ts';
import { createAvailability } from '../../src/banks/workers/availability.ts';
import { createInquiryWorker } from '../../src/banks/workers/inquiry-worker.ts';
import type { Settings } from '../../src/config.ts';
import { noMetrics } from '../../src/deps.ts';
import { createRuntimeStats } from '../../src/http/runtime-stats.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { insertRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { bankAttempt, bankRecord, workerKit } from './support.ts';

async function setup(inquiriesPerSecond = 1000) {
  const kit = await workerKit();
  const { clock, deps, settlement, account, bankAccounts } = kit;
  const settings = { inquiriesPerSecond } as Settings;
  const stats = createRuntimeStats(clock);
  const metrics = stats.metrics(noMetrics);
  const availability = createAvailability({ ...deps, metrics }, 'inquiries');
  const worker = createInquiryWorker({ ...deps, bankAccounts, settings }, availability);
  onTestFinished(() => worker.stop());
  const plan = (name: string, action: DueAttempt['action'] = 'inquire', afterMs = 0) => {
    const attempt = {
      ...bankAttempt({ id: `att_${name}`, account_id: account }),
      bank_order_id: `order-${name}`,
      request_id: `request-${name}`,
    };
    settlement.attempts.push(attempt);
    settlement.due.push({ ...attempt, action, check_at: clock.now() + afterMs });
  };
  const unavailable = () => [...stats.read().bankUnavailableSince.keys()];
  return { ...kit, worker, plan, unavailable };
}

test('an open push is checked when its time comes, and the answer is applied', async () => {
  const { clock, bank, settlement, worker, plan } = await setup();
  plan('1', 'inquire', 10_000);
  worker.start();
  await clock.advance(9999);
  expect(bank.inquired).toEqual([]);
  await clock.advance(1);
  await until(() => settlement.calls.length > 0);
  expect(bank.inquired).toEqual(['request-1']);
  expect(settlement.calls).toEqual(['answered att_1 waiting']);
});

test('inquiries keep the pace, the nearest deadline first', async () => {
  const { clock, bank, worker, plan } = await setup(10);
  for (let i = 0; i < 40; i++) plan(String(i));
  worker.start();
  await until(() => bank.inquired.length === 1);
  for (let second = 1; second <= 3; second++) {
    for (let tenth = 0; tenth < 10; tenth++) await clock.advance(100);
    await until(() => bank.inquired.length === second * 10 + 1, `second ${second}`);
  }
  expect(bank.inquired).toEqual(Array.from({ length: 31 }, (_, i) => `request-${i}`));
});

test('an inquiry that hangs blocks no other and is not repeated', async () => {
  const { clock, bank, settlement, worker, plan } = await setup();
  let answer = (_state: PushState) => {};
  bank.inquire = (requestId) =>
    requestId === 'request-hangs'
      ? new Promise((resolve) => {
          answer = resolve;
        })
      : Promise.resolve({ kind: 'rejected' });
  plan('hangs');
  worker.start();
  await until(() => bank.inquired.length === 1);
  plan('later', 'inquire', 1000);
  worker.wake();
  await clock.advanceUntil(200, () => settlement.calls.length === 1);
  expect(settlement.calls).toEqual(['answered att_later rejected']);
  expect(bank.inquired).toEqual(['request-hangs', 'request-later']);
  const stopped = worker.stop();
  answer({ kind: 'waiting' });
  await stopped;
  expect(settlement.calls).toContain('answered att_hangs waiting');
});

test('an unavailable bank defers the check; the log has one line for the outage and one for the recovery', async () => {
  const { bank, settlement, lines, worker, plan } = await setup();
  bank.inquire = () => Promise.reject(new BankUnavailable('inquire: HTTP 500'));
  plan('1');
  plan('2');
  worker.start();
  await until(() => settlement.calls.length === 2);
  expect(settlement.calls.toSorted()).toEqual(['deferred att_1', 'deferred att_2']);
  expect(lines).toMatchObject([{ level: 40 }]);
  bank.inquire = async () => ({ kind: 'waiting' });
  plan('3');
  worker.wake();
  await until(() => settlement.calls.length === 3);
  await worker.stop();
  expect(lines).toMatchObject([{ level: 40 }, { level: 30 }]);
});

test('an outage ends once the pushes whose inquiries failed are settled otherwise', async () => {
  const { clock, bank, settlement, worker, plan, account, unavailable } = await setup();
  bank.inquire = () => Promise.reject(new BankUnavailable('inquire: HTTP 500'));
  plan('1');
  plan('2');
  worker.start();
  await until(() => settlement.calls.length === 2);
  const [first, second] = settlement.attempts;
  if (first !== undefined) first.state = 'paid';
  await clock.advance(60_000);
  expect(unavailable()).toEqual([account]);
  if (second !== undefined) second.state = 'paid';
  await clock.advance(60_000);
  await until(() => unavailable().length === 0, 'the end of the outage');
});

test('the last read of a reference records its rows first; an incomplete one proves nothing', async () => {
  const { bank, settlement, worker, plan } = await setup();
  bank.list = async (filter) => (filter.bankOrderId === undefined ? [bankRecord({ identity: 'x' })] : []);
  plan('1', 'last-read');
  worker.start();
  await until(() => settlement.calls.length === 1);
  expect(bank.listed.map(({ filter }) => filter)).toEqual([
    { bankOrderId: 'order-1' },
    { requestId: 'request-1' },
  ]);
  expect(settlement.recorded).toMatchObject([{ identity: 'x' }]);
  expect(settlement.calls).toEqual(['expired att_1']);
  bank.list = async () => [];
  bank.complete = false;
  plan('2', 'last-read');
  worker.wake();
  await until(() => settlement.calls.length === 2);
  expect(settlement.calls[1]).toBe('deferred att_2');
});

test('an interrupted create is recovered without a request to the bank', async () => {
  const { bank, settlement, worker, plan } = await setup();
  plan('1', 'recover');
  worker.start();
  await until(() => settlement.calls.length === 1);
  expect(settlement.calls).toEqual(['recovered att_1']);
  expect([bank.inquired, bank.listed]).toEqual([[], []]);
});

test('neither a failing check nor a failing query ends the worker', async () => {
  const { clock, bank, settlement, lines, worker, plan } = await setup();
  const { dueAttempts } = settlement;
  settlement.dueAttempts = () => Promise.reject(new Error('the database is disconnected'));
  worker.start();
  await until(() => lines.length === 1);
  settlement.dueAttempts = dueAttempts;
  plan('bad');
  plan('good');
  bank.inquire = async (requestId) => {
    if (requestId === 'request-bad') throw new Error('a fault of ours');
    return { kind: 'waiting' };
  };
  await clock.advance(5000);
  await until(() => settlement.calls.length === 2);
  expect(settlement.calls.toSorted()).toEqual(['answered att_good waiting', 'deferred att_bad']);
  // The failed check is retried after a pause.
  expect(bank.inquired.filter((id) => id === 'request-bad')).toHaveLength(1);
  plan('bad');
  await clock.advanceUntil(5000, () => bank.inquired.filter((id) => id === 'request-bad').length === 2);
  expect(lines.filter(({ level }) => level === 50).length).toBeGreaterThanOrEqual(2);
});

test('many pushes of an account that cannot be read do not keep the others waiting', async () => {
  const { clock, bank, db, settlement, worker, plan } = await setup(10);
  await insertRows(db, 'bank_accounts', { id: 'acc_unreadable' });
  for (let i = 0; i < 200; i++) plan(`unreadable${i}`);
  for (const attempt of settlement.due) attempt.account_id = 'acc_unreadable';
  plan('readable');
  worker.start();
  for (let second = 0; second < 30; second++) await clock.advance(1000);
  await until(() => bank.inquired.includes('request-readable'));
});

test('an outage that begins while the end of the one before is read lasts', async () => {
  const { deps } = await workerKit();
  const stats = createRuntimeStats(deps.clock);
  const availability = createAvailability({ ...deps, metrics: stats.metrics(noMetrics) }, 'inquiries');
  availability.unavailable('acc_1', 'no answer', 'order-1');
  await availability.endUnchecked(async () => {
    availability.recovered('acc_1');
    availability.unavailable('acc_1', 'no answer', 'order-2');
    return false;
  });
  expect([...stats.read().bankUnavailableSince.keys()]).toEqual(['acc_1']);
});

test('an outage that began before the clock was set back counts from the moment when that is noticed', async () => {
  const { clock, deps } = await workerKit();
  const stats = createRuntimeStats(clock);
  const availability = createAvailability({ ...deps, metrics: stats.metrics(noMetrics) }, 'inquiries');
  availability.unavailable('acc_1', 'no answer');
  await clock.jump(-DAY_MS);
  const since = new Map([['acc_1', clock.now()]]);
  expect(stats.read().bankUnavailableSince).toEqual(since);
  await clock.advance(1000);
  expect(stats.read().bankUnavailableSince).toEqual(since);
});
