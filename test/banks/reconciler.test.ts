import { expect, test, vi } from 'vitest';
import { allAccounts, createBankAccounts, sandboxCredentials } from '../../src/banks/accounts.ts';
import { BankUnavailable, type ListFilter } from '../../src/banks/port.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { createReconciler } from '../../src/banks/workers/reconciler.ts';
import { createBankWorkers } from '../../src/banks/workers/workers.ts';
import type { Settings } from '../../src/config.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { insertRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { bankAttempt, bankRecord, CREDENTIALS, workerKit } from './support.ts';

const RECONCILE_MS = 300_000;

async function setup() {
  const kit = await workerKit();
  const { db, settlement } = kit;
  const set = async (changes: Partial<typeof CREDENTIALS>, own = false) => {
    const merchantId = own ? deps.ids('mer') : null;
    if (merchantId !== null) await insertRows(db, 'merchants', { id: merchantId });
    const input = { merchantId, credentials: { ...CREDENTIALS, ...changes } };
    return (await setBankAccount(deps, input)).account;
  };
  const settings = { reconcileMs: RECONCILE_MS, inquiriesPerSecond: 10, acquirer: 'ifthenpay' } as Settings;
  const deps = { ...kit.deps, settings };
  const reconciler = createReconciler(deps);
  const reads = () => settlement.calls.filter((call) => call.startsWith('list '));
  const read = async (count: number, afterMs = 0) => {
    await kit.clock.advance(afterMs);
    await until(() => reads().length === count, `read ${count}`);
  };
  return { ...kit, deps, set, reconciler, reads, read };
}

const reach = (filters: { filter: ListFilter }[]) => [
  Math.min(...filters.map(({ filter }) => filter.from ?? Number.NaN)),
  Math.max(...filters.map(({ filter }) => filter.to ?? Number.NaN)),
];

test('the first read covers 35 days, later ones start a day before the last, and once a day 35 days again', async () => {
  const { clock, bank, reconciler, read, deps, reads, account } = await setup();
  const first = clock.now();
  reconciler.start();
  await read(1);
  expect(reach(bank.listed)).toEqual([first - 35 * DAY_MS, first + DAY_MS]);
  expect(reads()).toEqual([`list ${account} ${first}`]);
  expect(await allAccounts(deps)).toMatchObject([{ listReadAt: first, longReadAt: first }]);

  bank.listed = [];
  await read(2, RECONCILE_MS);
  expect(reach(bank.listed)).toEqual([first - DAY_MS, first + RECONCILE_MS + DAY_MS]);
  expect(await allAccounts(deps)).toMatchObject([{ listReadAt: first + RECONCILE_MS, longReadAt: first }]);

  await reconciler.stop();
  await clock.advance(DAY_MS);
  bank.listed = [];
  const restarted = createReconciler(deps);
  restarted.start();
  await read(3);
  expect(reach(bank.listed)[0]).toBe(clock.now() - 35 * DAY_MS);
  await restarted.stop();
});

test('a long read in parts covers every instant', async () => {
  const { bank, reconciler, read } = await setup();
  reconciler.start();
  await read(1);
  const ranges = bank.listed.map(({ filter }) => [filter.from ?? 0, filter.to ?? 0] as const);
  expect(ranges.length).toBeGreaterThan(1);
  for (const [i, [from]] of ranges.entries()) if (i > 0) expect(from).toBe((ranges[i - 1]?.[1] ?? 0) + 1);
  await reconciler.stop();
});

test('an unavailable bank leaves the cursor, is retried with back-off, and is logged once', async () => {
  const { clock, bank, reconciler, deps, lines, read, reads } = await setup();
  const times = new Set<number>();
  const start = clock.now();
  bank.list = () => {
    times.add(clock.now() - start);
    return Promise.reject(new BankUnavailable('list: HTTP 500'));
  };
  reconciler.start();
  await until(() => times.size === 1);
  for (let minute = 0; minute < 60; minute++) await clock.advance(60_000);
  await until(() => times.size === 5);
  expect([...times].map((time) => time / 60_000)).toEqual([0, 10, 25, 40, 55]);
  // An unavailable bank gets two requests per read at most.
  expect(bank.listed).toHaveLength(2 * times.size);
  expect(await allAccounts(deps)).toMatchObject([{ listReadAt: null }]);
  expect(reads()).toEqual([]);
  expect(lines).toMatchObject([{ level: 40 }]);
  bank.list = async () => [];
  await read(1, 10 * 60_000);
  expect(lines).toMatchObject([{ level: 40 }, { level: 30 }]);
  await reconciler.stop();
});

test('the rows of a list that the bank returns in part are recorded, and its cursor does not move', async () => {
  const { clock, bank, reconciler, deps, settlement, lines, reads } = await setup();
  const paidAt = clock.now() - 10 * DAY_MS;
  bank.listPayments = async (_account, { from = 0, to = 0 }) => ({
    records: from <= paidAt && paidAt <= to ? [bankRecord({ identity: 'part', paidAt })] : [],
    complete: false,
    failure: new BankUnavailable('list: HTTP 400'),
  });
  reconciler.start();
  await until(() => lines.length === 1);
  await reconciler.stop();
  expect(settlement.recorded).toContainEqual({ accountId: expect.anything(), identity: 'part' });
  expect(await allAccounts(deps)).toMatchObject([{ listReadAt: null }]);
  expect(lines).toMatchObject([{ level: 40, detail: 'list: HTTP 400' }]);
  expect(reads()).toEqual([]);
});

test('an unavailable list is available again when another account of the same list reads it', async () => {
  const { bank, reconciler, read, lines, set } = await setup();
  bank.list = () => Promise.reject(new BankUnavailable('list: HTTP 500'));
  reconciler.start();
  await until(() => lines.length === 1);
  bank.list = async () => [];
  await set({ mbWayKey: 'NEW-000001', mbKey: 'NEW-000002' });
  await read(2, 2 * RECONCILE_MS);
  await reconciler.stop();
  expect(lines).toMatchObject([{ level: 40 }, { level: 30, msg: 'the bank answers again' }]);
});

test.each([
  ['one', (age: number) => age === 28],
  ['every old one', (age: number) => age > 14],
])(
  'a part that the bank does not return keeps no other part from being recorded: %s',
  async (_what, fails) => {
    const { bank, clock, settlement, reconciler, reads, deps, lines } = await setup();
    bank.list = async ({ from = 0 }) => {
      const age = (clock.now() - from) / DAY_MS;
      if (fails(age)) throw new BankUnavailable('list: HTTP 500');
      return [bankRecord({ identity: `${age}` })];
    };
    reconciler.start();
    await until(() => lines.length > 0);
    await reconciler.stop();
    const recorded = settlement.recorded.map(({ identity }) => Number(identity)).sort((a, b) => b - a);
    expect(recorded).toEqual([35, 28, 21, 14, 7, 0].filter((age) => !fails(age)));
    expect(lines).toMatchObject([{ level: 40, detail: 'list: HTTP 500' }]);
    expect(await allAccounts(deps)).toMatchObject([{ listReadAt: null, longReadAt: null }]);
    expect(reads()).toEqual([]);
  },
);

test('an account whose list hangs does not block another', async () => {
  const { bank, reconciler, set, settlement, account, clock } = await setup();
  const other = await set({ backofficeKey: '9999-9999-9999-9999', mbKey: 'OWN-000001' }, true);
  bank.list = (_filter, { id }) => (id === account ? new Promise(() => {}) : Promise.resolve([]));
  reconciler.start();
  await until(() => settlement.calls.length === 1);
  expect(settlement.calls).toEqual([`list ${other} ${clock.now()}`]);
});

test('accounts that share a backoffice key are read once, and each row is recorded for the account it names', async () => {
  const { bank, reconciler, set, settlement, account, read, reads, clock } = await setup();
  const other = await set({ mbWayKey: 'OWN-000001', mbKey: 'OWN-000002' }, true);
  bank.list = async () =>
    bank.listed.length > 1
      ? []
      : [
          bankRecord({ identity: 'a', methodKey: 'OWN-000002' }),
          bankRecord({ identity: 'b', methodKey: CREDENTIALS.mbWayKey }),
          bankRecord({ identity: 'c' }),
        ];
  reconciler.start();
  await read(2);
  expect(new Set(bank.listed.map(({ accountId }) => accountId)).size).toBe(1);
  expect(reads()).toEqual([account, other].map((id) => `list ${id} ${clock.now()}`));
  expect(settlement.recorded).toContainEqual({ accountId: other, identity: 'a' });
  expect(settlement.recorded).toContainEqual({ accountId: account, identity: 'b' });
  expect(settlement.recorded).toContainEqual({ accountId: account, identity: 'c' });
  await reconciler.stop();
});

test('a read with an unreadable row moves the cursor but counts for no unknown push', async () => {
  const { bank, reconciler, deps, reads } = await setup();
  bank.complete = false;
  reconciler.start();
  await until(async () => (await allAccounts(deps))[0]?.listReadAt);
  await reconciler.stop();
  expect(reads()).toEqual([]);
});

test('rows that cannot be recorded leave the cursor', async () => {
  const { bank, reconciler, deps, settlement, lines, reads } = await setup();
  bank.list = async () => [bankRecord({ identity: 'x' })];
  settlement.recordPayments = () => Promise.reject(new Error('the disk is full'));
  reconciler.start();
  await until(() => lines.length > 0);
  await reconciler.stop();
  expect(await allAccounts(deps)).toMatchObject([{ listReadAt: null }]);
  expect(reads()).toEqual([]);
});

test('the bank workers stop after the call under way and start nothing after', async () => {
  const { deps, bank, clock, read } = await setup();
  let answer = () => {};
  bank.list = () =>
    new Promise((resolve) => {
      answer = () => resolve([]);
    });
  const workers = createBankWorkers({ ...deps, bankAccounts: createBankAccounts(deps) });
  workers.start();
  await until(() => bank.listed.length === 1);
  let stopped = false;
  const stopping = workers.stop().then(() => {
    stopped = true;
  });
  await clock.advance(0);
  expect(stopped).toBe(false);
  bank.list = async () => [];
  answer();
  await stopping;
  await read(1);
  const count = bank.listed.length;
  workers.wake();
  await clock.advance(DAY_MS);
  expect(bank.listed.length).toBe(count);
});

/** Four pushes of unknown outcome at EuPago, whose answer about the first three is unreadable. */
async function withUnknownPushes() {
  const made = await setup();
  const { deps, settlement, bank } = made;
  const credentials = sandboxCredentials(deps.random, 'eupago');
  const { account } = await setBankAccount(deps, { merchantId: null, acquirer: 'eupago', credentials });
  for (const id of ['att_1', 'att_2', 'att_3', 'att_4'] as const)
    settlement.attempts.push(bankAttempt({ id, account_id: account, state: 'unknown', request_id: id }));
  bank.inquire = async (requestId) => {
    if (requestId !== 'att_4') throw new BankUnavailable('inquiry: HTTP 500');
    return { kind: 'absent' };
  };
  return { ...made, account };
}

test('pushes about which the bank gives no answer keep neither the others nor the list waiting', async () => {
  const { clock, bank, reconciler, settlement, lines, account } = await withUnknownPushes();
  bank.list = async (_filter, { id }) => (id === account ? [bankRecord({ identity: 'paid' })] : []);
  const isListed = () => bank.listed.some(({ accountId }) => accountId === account);
  reconciler.start();
  await until(() => lines.some(({ detail }) => detail === 'inquiry: HTTP 500') && isListed());
  expect(settlement.recorded[0]).toEqual({ accountId: account, identity: 'paid' });
  expect(lines.at(-1)).toMatchObject({ accountId: account, detail: 'inquiry: HTTP 500' });
  bank.listed = [];
  for (let ms = 0; ms < RECONCILE_MS + 5000 && !isListed(); ms += 1000) await clock.advance(1000);
  expect(isListed(), 'the next list is not delayed').toBe(true);
  await until(async () => {
    await clock.advance(60_000);
    return settlement.calls.includes('answered att_4 absent');
  });
  await reconciler.stop();
});

test('after a read during which the credentials were replaced, the next one covers 35 days', async () => {
  const { clock, bank, reconciler, set, reads } = await setup();
  const start = clock.now();
  bank.list = async (filter) => {
    if (bank.listed.length === 1) await set({ backofficeKey: '9999-9999-9999-9999' });
    if ((filter.to ?? 0) === start + DAY_MS) bank.listed = [];
    return [];
  };
  reconciler.start();
  await until(async () => {
    await clock.advance(60_000);
    return reads().length > 0;
  });
  await reconciler.stop();
  expect(reach(bank.listed)[0]).toBeLessThan(start - 34 * DAY_MS);
});

test('a list that no account has any more is not due again', async () => {
  const { clock, reconciler, set, read } = await setup();
  reconciler.start();
  await read(1);
  await set({ backofficeKey: '9999-9999-9999-9999' });
  await read(2, RECONCILE_MS);
  const timers = vi.spyOn(clock, 'after');
  await clock.advance(RECONCILE_MS);
  await reconciler.stop();
  // One per minute, and those of one read.
  expect(timers.mock.calls.length).toBeLessThan(10);
});
