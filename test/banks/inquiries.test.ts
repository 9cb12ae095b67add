import { expect, test } from 'vitest';
import { createBankAccounts } from '../../src/banks/accounts.ts';
import { BankSilent, type DueAttempt, type PushState } from '../../src/banks/port.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { createInquiryLoop } from '../../src/banks/workers/inquiries.ts';
import type { Settings } from '../../src/config.ts';
import { temporaryDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { accountDeps, bankRecord, CREDENTIALS, fakeBank, fakeLedger, keptLog } from './support.ts';

async function setup(inquiriesPerSecond = 1000) {
  const db = await temporaryDatabase();
  const clock = fakeClock();
  const accountsDeps = accountDeps(db, clock);
  const { account } = await setBankAccount(accountsDeps, { merchantId: null, credentials: CREDENTIALS });
  const [bank, ledger, kept] = [fakeBank(), fakeLedger(), keptLog()];
  const loop = createInquiryLoop({
    ...accountsDeps,
    ...{ bank, ledger, log: kept.log, bankAccounts: createBankAccounts(accountsDeps) },
    settings: { inquiriesPerSecond } as Settings,
  });
  const plan = (name: string, action: DueAttempt['action'] = 'inquire', afterMs = 0) =>
    ledger.due.push({
      ...{
        id: `att_${name}`,
        accountId: account,
        bankOrderId: `order-${name}`,
        requestId: `request-${name}`,
      },
      ...{ action, at: clock.now() + afterMs },
    });
  return { clock, bank, ledger, lines: kept.lines, loop, plan, account };
}

test('an open push is asked about when its time comes, and the answer is handed over', async () => {
  const { clock, bank, ledger, loop, plan } = await setup();
  plan('1', 'inquire', 10_000);
  loop.start();
  await clock.advance(9999);
  expect(bank.inquired).toEqual([]);
  await clock.advance(1);
  await until(() => ledger.calls.length > 0);
  expect(bank.inquired).toEqual(['request-1']);
  expect(ledger.calls).toEqual(['answered att_1 waiting']);
  await loop.stop();
});

test('inquiries keep the pace, the nearest deadline first', async () => {
  const { clock, bank, loop, plan } = await setup(10);
  for (let i = 0; i < 40; i++) plan(String(i));
  loop.start();
  await until(() => bank.inquired.length === 1);
  for (let second = 1; second <= 3; second++) {
    for (let tenth = 0; tenth < 10; tenth++) await clock.advance(100);
    await until(() => bank.inquired.length === second * 10 + 1, `second ${second}`);
  }
  expect(bank.inquired).toEqual(Array.from({ length: 31 }, (_, i) => `request-${i}`));
  await loop.stop();
});

test('an inquiry that hangs keeps no other waiting and is not asked twice', async () => {
  const { clock, bank, ledger, loop, plan } = await setup();
  let answer = (_state: PushState) => {};
  bank.inquire = (requestId) =>
    requestId === 'request-hangs'
      ? new Promise((resolve) => {
          answer = resolve;
        })
      : Promise.resolve({ kind: 'rejected' });
  plan('hangs');
  loop.start();
  await until(() => bank.inquired.length === 1);
  plan('later', 'inquire', 1000);
  loop.wake();
  await until(async () => {
    await clock.advance(200);
    return ledger.calls.length === 1;
  });
  expect(ledger.calls).toEqual(['answered att_later rejected']);
  expect(bank.inquired).toEqual(['request-hangs', 'request-later']);
  const stopped = loop.stop();
  answer({ kind: 'waiting' });
  await stopped;
  expect(ledger.calls).toContain('answered att_hangs waiting');
});

test('a silent bank is told to the ledger; the log says so once, and once that it is back', async () => {
  const { bank, ledger, lines, loop, plan } = await setup();
  bank.inquire = () => Promise.reject(new BankSilent('inquire: HTTP 500'));
  plan('1');
  plan('2');
  loop.start();
  await until(() => ledger.calls.length === 2);
  expect(ledger.calls.toSorted()).toEqual(['silent att_1', 'silent att_2']);
  expect(lines).toMatchObject([{ level: 40 }]);
  bank.inquire = async () => ({ kind: 'waiting' });
  plan('3');
  loop.wake();
  await until(() => ledger.calls.length === 3);
  await loop.stop();
  expect(lines).toMatchObject([{ level: 40 }, { level: 30 }]);
});

test('the last read of a reference records its rows first; one that is not whole proves nothing', async () => {
  const { bank, ledger, loop, plan } = await setup();
  bank.list = async (filter) => (filter.bankOrderId === undefined ? [bankRecord({ identity: 'x' })] : []);
  plan('1', 'last-read');
  loop.start();
  await until(() => ledger.calls.length === 1);
  expect(bank.listed.map(({ filter }) => filter)).toEqual([
    { bankOrderId: 'order-1' },
    { requestId: 'request-1' },
  ]);
  expect(ledger.recorded).toMatchObject([{ identity: 'x' }]);
  expect(ledger.calls).toEqual(['read att_1']);
  bank.list = async (_filter, _account, unreadable) => {
    unreadable({});
    return [];
  };
  plan('2', 'last-read');
  loop.wake();
  await until(() => ledger.calls.length === 2);
  expect(ledger.calls[1]).toBe('silent att_2');
  await loop.stop();
});

test('a create that a crash cut off is handed back without a question to the bank', async () => {
  const { bank, ledger, loop, plan } = await setup();
  plan('1', 'recover');
  loop.start();
  await until(() => ledger.calls.length === 1);
  expect(ledger.calls).toEqual(['recover att_1']);
  expect([bank.inquired, bank.listed]).toEqual([[], []]);
  await loop.stop();
});

test('neither a failing attempt nor a failing look ends the loop', async () => {
  const { clock, bank, ledger, lines, loop, plan } = await setup();
  const { dueAttempts } = ledger;
  ledger.dueAttempts = () => Promise.reject(new Error('the database is away'));
  loop.start();
  await until(() => lines.length === 1);
  ledger.dueAttempts = dueAttempts;
  plan('bad');
  plan('good');
  bank.inquire = async (requestId) => {
    if (requestId === 'request-bad') throw new Error('a fault of ours');
    return { kind: 'waiting' };
  };
  await clock.advance(5000);
  await until(() => ledger.calls.length === 1);
  expect(ledger.calls).toEqual(['answered att_good waiting']);
  // The faulty one rests before it is tried again.
  expect(bank.inquired.filter((id) => id === 'request-bad')).toHaveLength(1);
  await until(async () => {
    await clock.advance(200);
    return bank.inquired.filter((id) => id === 'request-bad').length === 2;
  });
  expect(lines.filter(({ level }) => level === 50).length).toBeGreaterThanOrEqual(2);
  await loop.stop();
});
