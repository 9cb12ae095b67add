import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createBankAccounts } from '../../src/banks/accounts.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { createBankWorkers } from '../../src/banks/workers/workers.ts';
import type { Database } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { createSettlement } from '../../src/payments/settlement.ts';
import { CREDENTIALS, fakeBank } from '../banks/support.ts';
import { temporaryDatabase } from '../support/database.ts';
import { depsOn } from '../support/deps.ts';
import { insertRows } from '../support/rows.ts';
import { until } from '../support/until.ts';

const PUSHES = 10_000;
const PER_SECOND = 1000;
const GROWTH_BYTES_MAX = 32 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Pending transactions, each with an open push whose window and grace end at `endsAt`. */
async function openPushes(
  db: Database,
  ids: Deps['ids'],
  { accountId, endsAt }: { accountId: Id<'acc'>; endsAt: number },
): Promise<void> {
  const merchant_id = ids('mer');
  await insertRows(db, 'merchants', { id: merchant_id });
  const basics = { merchant_id, created_at: endsAt - 270_000 };
  const orders = Array.from({ length: PUSHES }, () => ({ ...basics, id: ids('tx') }));
  const pending = { status: 'pending', paid_method: null } as const;
  await insertRows(db, 'transactions', ...orders.map((order) => ({ ...order, ...pending })));
  const push = { account_id: accountId, phone_number: '912345678', expires_at: endsAt, check_at: endsAt };
  const attempts = orders.map(({ id: transaction_id }, i) => {
    const named = { id: ids('att'), transaction_id, bank_order_id: `B${i}`, request_id: `R${i}` };
    return { ...basics, ...push, ...named };
  });
  await insertRows(db, 'attempts', ...attempts);
}

test('10,000 open pushes whose time is over in the same second all lapse at the pace of the inquiries, with one event each, in bounded memory', async () => {
  const db = await temporaryDatabase();
  const base = depsOn(db, systemClock, {
    SERVICE_INQUIRIES_PER_SECOND: String(PER_SECOND),
    SERVICE_MBWAY_GRACE_SECONDS: '0',
    SERVICE_RECONCILE_SECONDS: '3600',
  });
  const { account } = await setBankAccount(base, { merchantId: null, credentials: CREDENTIALS });
  const bank = fakeBank();
  let asking = 0;
  let askingMax = 0;
  bank.inquire = async () => {
    askingMax = Math.max(askingMax, ++asking);
    await new Promise((resolve) => setTimeout(resolve, 5));
    asking--;
    return { kind: 'waiting' };
  };
  const deps = { ...base, bank, bankAccounts: createBankAccounts(base) };
  await openPushes(db, deps.ids, { accountId: account, endsAt: Date.now() });
  const heapBefore = heapBytes();
  const workers = createBankWorkers({ ...deps, settlement: createSettlement(deps) });
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const startedAt = performance.now();
  workers.start();
  const count = async (table: 'attempts' | 'events', column: 'state' | 'kind', value: string) => {
    const { n } = await db.read
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where(column as never, '=', value as never)
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  await until(
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return (await count('attempts', 'state', 'lapsed')) === PUSHES;
    },
    'all to lapse',
    120_000,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  loop.disable();
  await workers.stop();
  const grownBytes = heapBytes() - heapBefore;
  const figure = `${PUSHES} pushes lapsed in ${seconds.toFixed(1)} s; event loop late by p99 ${(loop.percentile(99) / 1e6).toFixed(0)} ms, at most ${(loop.max / 1e6).toFixed(0)} ms; ${askingMax} inquiries at a time; heap ${(grownBytes / 2 ** 20).toFixed(1)} MiB more`;
  process.stdout.write(`${figure}\n`);
  expect(await count('events', 'kind', 'payment.cancelled')).toBe(PUSHES);
  expect(new Set(bank.inquired).size).toBe(PUSHES);
  // Not faster than the pace allows, and none asked about twice.
  expect(seconds).toBeGreaterThan(PUSHES / PER_SECOND - 1);
  expect(bank.inquired).toHaveLength(PUSHES);
  expect(askingMax).toBeLessThanOrEqual(64);
  expect(grownBytes).toBeLessThan(GROWTH_BYTES_MAX);
  // A busy machine is late as well, so only the median turn of the event loop is checked.
  expect(loop.percentile(50) / 1e6).toBeLessThan(100);
});
