import { expect, test } from 'vitest';
import { createBankAccounts } from '../../src/banks/accounts.ts';
import { BankSilent } from '../../src/banks/port.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { armHint } from '../../src/banks/store.ts';
import { createHintLoop } from '../../src/banks/workers/callbacks.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { lisbonText } from '../../src/kernel/lisbon.ts';
import { temporaryDatabase } from '../support/database.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import {
  accountDeps,
  bankRecord,
  CREDENTIALS,
  fakeBank,
  fakeLedger,
  insertAttempt,
  keptLog,
} from './support.ts';

async function setup() {
  const db = await temporaryDatabase();
  const clock = fakeClock();
  const accountsDeps = accountDeps(db, clock);
  const { account } = await setBankAccount(accountsDeps, { merchantId: null, credentials: CREDENTIALS });
  const [bank, ledger, kept] = [fakeBank(), fakeLedger(), keptLog()];
  const bankAccounts = createBankAccounts(accountsDeps);
  const loop = createHintLoop({ ...accountsDeps, bankAccounts, bank, ledger, log: kept.log });
  const arm = async (params: Record<string, string> = {}, identity = 'one') => {
    const now = clock.now();
    await db.unit((tx) =>
      armHint(tx, {
        ...{
          id: accountsDeps.ids('hnt'),
          account_id: account,
          identity,
          bank_order_id: 'A1',
          request_id: null,
        },
        ...{ amount_cents: null, params: JSON.stringify(params), received_at: now },
        ...{ checks_count: 0, check_at: now },
      }),
    );
    loop.wake();
  };
  const hint = () => db.read.selectFrom('bank_hints').selectAll().executeTakeFirstOrThrow();
  const looked = async (count: number) =>
    until(async () => (await hint()).checks_count === count, `look ${count}`);
  loop.start();
  return {
    db,
    clock,
    account,
    bank,
    ledger,
    lines: kept.lines,
    loop,
    arm,
    hint,
    looked,
    ids: accountsDeps.ids,
  };
}

/** Moves on and lets the looks that fell due finish. */
async function pass(clock: FakeClock, ms: number, looked: () => Promise<unknown>): Promise<void> {
  await clock.advance(ms);
  await looked();
}

test('without any money the record is read at 0, 5, 30 and 120 s after the callback, then no more', async () => {
  const { clock, bank, arm, hint, looked, loop } = await setup();
  const start = clock.now();
  const times: number[] = [];
  bank.list = async () => {
    times.push(clock.now() - start);
    return [];
  };
  await arm();
  await looked(1);
  await pass(clock, 5000, () => looked(2));
  await pass(clock, 25_000, () => looked(3));
  await pass(clock, 90_000, () => looked(4));
  await clock.advance(600_000);
  expect(times).toEqual([0, 5000, 30_000, 120_000]);
  expect(await hint()).toMatchObject({ checks_count: 4, check_at: null });
  await loop.stop();
});

test('the rows that the record shows are handed over, and the hinted money ends the looking', async () => {
  const { clock, bank, ledger, account, arm, hint, looked, loop } = await setup();
  bank.list = async () => [bankRecord({ identity: 'x', method: 'REFERENCE', paidAt: clock.now() })];
  await arm({ payment_datetime: lisbonText(clock.now()) });
  await looked(1);
  expect(ledger.recorded).toEqual([{ accountId: account, identity: 'x' }]);
  expect(await hint()).toMatchObject({ check_at: null });
  await loop.stop();
});

test("an older payment of the same reference does not end the looking for the newer one's money", async () => {
  const { clock, bank, ledger, arm, hint, looked, loop } = await setup();
  const older = bankRecord({ identity: 'older', method: 'REFERENCE', paidAt: clock.now() - 60_000 });
  const newer = bankRecord({ identity: 'newer', method: 'REFERENCE', paidAt: clock.now() });
  ledger.paid.add('A1');
  bank.list = async () => [older];
  await arm({ payment_datetime: lisbonText(clock.now()) });
  await looked(1);
  expect((await hint()).check_at).not.toBeNull();
  bank.list = async () => [newer, older];
  await pass(clock, 5000, () => looked(2));
  expect(ledger.recorded.map(({ identity }) => identity)).toContain('newer');
  expect((await hint()).check_at).toBeNull();
  await loop.stop();
});

test('an open push is asked about by the request id that the bank gave at its creation', async () => {
  const { db, ids, account, bank, ledger, arm, hint, looked, loop } = await setup();
  const attempt = { accountId: account, method: 'MBWAY', bankOrderId: 'A1', requestId: 'ours' } as const;
  const attemptId = await insertAttempt(db, ids, attempt);
  bank.inquire = async () => ({ kind: 'paid', paidAt: 0, identity: 'ifthenpay:ours' });
  await arm();
  await looked(1);
  expect(bank.inquired).toEqual(['ours']);
  expect(ledger.calls).toEqual([`answered ${attemptId} paid`]);
  expect(bank.listed).toEqual([]);
  expect((await hint()).check_at).toBeNull();
  await loop.stop();
});

test('a push that has its money already costs the bank no question', async () => {
  const { db, ids, account, bank, ledger, arm, looked, loop } = await setup();
  await insertAttempt(db, ids, { accountId: account, method: 'MBWAY', bankOrderId: 'A1', requestId: 'ours' });
  ledger.paid.add('A1');
  await arm();
  await looked(1);
  expect([bank.inquired, bank.listed]).toEqual([[], []]);
  await loop.stop();
});

test("the list is read with the attempt's own account, whoever's key the callback carried", async () => {
  const { db, ids, clock, bank, arm, looked, loop, account } = await setup();
  const deps = accountDeps(db, clock);
  const other = await setBankAccount(
    { ...deps, ids },
    { merchantId: null, credentials: { ...CREDENTIALS, mbKey: 'NEW-000001' } },
  );
  await insertAttempt(db, ids, {
    accountId: other.account as Id<'acc'>,
    method: 'REFERENCE',
    bankOrderId: 'A1',
  });
  await arm();
  await looked(1);
  expect(bank.listed).toEqual([{ filter: { bankOrderId: 'A1' }, accountId: other.account }]);
  expect(other.account).not.toBe(account);
  await loop.stop();
});

test('a silent bank, or a fault of ours, uses up a look and never the loop', async () => {
  const { clock, bank, ledger, arm, looked, lines, loop } = await setup();
  bank.list = () => Promise.reject(new BankSilent('list: HTTP 500'));
  await arm();
  await looked(1);
  bank.list = () => Promise.reject(new Error('a fault of ours'));
  await pass(clock, 5000, () => looked(2));
  expect(lines.filter(({ level }) => level === 50)).toHaveLength(1);
  bank.list = async () => [bankRecord({ identity: 'x' })];
  await pass(clock, 25_000, () => looked(3));
  expect(ledger.recorded).toHaveLength(1);
  await loop.stop();
});

test('a callback that comes again while its look runs starts the schedule over', async () => {
  const { clock, bank, arm, hint, loop } = await setup();
  const answers: ((records: never[]) => void)[] = [];
  bank.list = () => new Promise((resolve) => answers.push(resolve));
  await arm();
  await until(() => answers.length === 1);
  await clock.advance(1000);
  await arm();
  answers[0]?.([]);
  await until(async () => {
    await clock.advance(200);
    return answers.length === 2;
  });
  expect(await hint()).toMatchObject({ checks_count: 0 });
  answers[1]?.([]);
  await until(async () => (await hint()).checks_count === 1);
  await loop.stop();
});
