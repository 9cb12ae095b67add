import { expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../../src/config.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import { createIds } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { insertMail } from '../../src/mail/store.ts';
import { createRetention, RETAINED_TABLES } from '../../src/retention/retention.ts';
import { pruneStep } from '../../src/retention/step.ts';
import { keptLog } from '../banks/support.ts';
import { rowsIn } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { insertRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { webhookKit, writeDelivery } from '../webhooks/kit.ts';

/** A mail that nothing sends. */
const MAIL = {
  kind: 'payment-receipt',
  entity: 'tx_1',
  reader: '',
  link: null,
  error: null,
  planned_at: 0,
} as const;

/** A database with a shop, and retention that is not started yet. */
async function setup(changes: Partial<Settings> = {}) {
  const kit = await webhookKit();
  const { log, lines } = keptLog();
  const deps = { ...kit.deps, log, settings: { ...kit.deps.settings, ...changes } };
  const retention = createRetention(deps);
  onTestFinished(() => retention.stop());
  const shop = await kit.shop('https://shop.pt/hook');
  /** Lets the loop take the steps that are due. */
  const settle = async () => {
    for (let i = 0; i < 50; i++) await kit.clock.advance(200);
  };
  /** Runs the loop until its next pass would find no old rows. */
  const pass = async () => {
    await kit.clock.advance(HOUR_MS);
    await settle();
  };
  const count = (table: keyof Tables) => rowsIn(kit.db, table);
  return { kit, deps, retention, shop, settle, pass, count, lines };
}

test('attempts are pruned the configured number of days after their delivery ended, not an hour earlier', async () => {
  const { kit, retention, shop, settle, pass, count, lines } = await setup({
    deliveryAttemptDays: 30,
  });
  const old = (await writeDelivery(kit, shop, 'undelivered', { attempts: 4 })).id;
  await kit.clock.advance(HOUR_MS * 3);
  await writeDelivery(kit, shop, 'delivered', { attempts: 2 });
  retention.start();
  await kit.clock.jump(30 * DAY_MS - 3 * HOUR_MS);
  await settle();
  await kit.clock.advance(HOUR_MS - 20_000);
  expect(await count('delivery_attempts'), 'also with a clock that is an hour ahead of the others').toBe(6);
  await pass();
  expect(await kit.attempts(old)).toEqual([]);
  expect(await count('delivery_attempts')).toBe(2);
  expect(await kit.delivery(old)).toMatchObject({ state: 'undelivered', attempts_count: 4 });
  expect(lines).toMatchObject([{ table: 'delivery_attempts', rows: 4, olderThanDays: 30 }]);
});

test('a due delivery keeps its attempts at any age and blocks no pruning of others', async () => {
  const { kit, retention, shop, pass } = await setup();
  const due = await Promise.all(
    Array.from({ length: 60 }, () => writeDelivery(kit, shop, 'due', { attempts: 1 })),
  );
  const ended = await writeDelivery(kit, shop, 'skipped', { attempts: 1 });
  retention.start();
  await kit.clock.jump(91 * DAY_MS);
  await pass();
  expect(await kit.attempts(ended.id)).toEqual([]);
  for (const { id } of due) expect(await kit.attempts(id)).toHaveLength(1);
});

test('idempotency answers are kept for exactly 7 days and pruned within the next two hours', async () => {
  const { kit, retention, shop, settle, pass, count } = await setup();
  const keep = (key: string) =>
    insertRows(kit.db, 'idempotency', { merchant_id: shop.id, key, created_at: kit.clock.now() });
  await keep('old');
  retention.start();
  await kit.clock.advance(10_000);
  await kit.clock.jump(7 * DAY_MS - 10_001);
  await settle();
  await kit.clock.advance(HOUR_MS - 10_000);
  await settle();
  expect(await count('idempotency'), 'also with a clock that is an hour ahead of the others').toBe(1);
  await keep('new');
  await pass();
  await pass();
  expect(await kit.db.read.selectFrom('idempotency').select('key').execute()).toEqual([{ key: 'new' }]);
});

test('settled callback notifications are pruned; pending and recently repeated ones are kept', async () => {
  const { kit, retention, pass } = await setup();
  await insertRows(kit.db, 'bank_accounts', { id: 'acc_1' });
  const { clock } = kit;
  const { ids } = kit.deps;
  const insertNotification = async (identity: string, receivedAt: number, checkAt: number | null) => {
    const row = { id: ids('hnt'), account_id: 'acc_1', identity } as const;
    await insertRows(kit.db, 'bank_hints', { ...row, received_at: receivedAt, check_at: checkAt });
  };
  const now = clock.now();
  await insertNotification('settled', now, null);
  await insertNotification('waiting', now, now + 5000);
  await insertNotification('again', now + 80 * DAY_MS, null);
  retention.start();
  await clock.jump(91 * DAY_MS);
  await pass();
  const left = await kit.db.read.selectFrom('bank_hints').select('identity').orderBy('id').execute();
  expect(left.map(({ identity }) => identity)).toEqual(['waiting', 'again']);
});

test('pruning continues after a database failure, and never deletes a transaction, an event or a delivery', async () => {
  const { kit, deps, shop, count, lines } = await setup();
  await writeDelivery(kit, shop, 'delivered', { attempts: 2 });
  const payment = await kit.payment(shop);
  await kit.announce(shop, payment);
  let broken = true;
  const unit: typeof kit.db.unit = (work) =>
    broken ? Promise.reject(new Error('disk full')) : kit.db.unit(work);
  const retention = createRetention({ ...deps, db: { ...kit.db, read: kit.db.read, unit } });
  retention.start();
  await kit.clock.jump(400 * DAY_MS);
  await kit.clock.advance(HOUR_MS);
  await until(() => lines.some(({ level }) => level === 50), 'the failure to be logged');
  broken = false;
  await kit.clock.advanceUntil(60_000, () => lines.some(({ level }) => level === 30), 'the loop to go on');
  const tables = ['transactions', 'events', 'deliveries', 'merchants'] as const;
  expect(await Promise.all(tables.map(count))).toEqual([1, 2, 2, 1]);
  await retention.stop();
});

test('a table that cannot be pruned is logged and blocks no other table', async () => {
  const { kit, retention, shop, pass, count, lines } = await setup();
  for (let i = 0; i < 120; i++) await writeDelivery(kit, shop, 'delivered', { attempts: 1 });
  const rename = (from: string, to: string) =>
    kit.db.unit((tx) => tx.schema.alterTable(from).renameTo(to).execute());
  await rename('idempotency', 'hidden');
  // On PostgreSQL, the next test uses the same database.
  onTestFinished(() => rename('hidden', 'idempotency'));
  await kit.clock.jump(91 * DAY_MS);
  retention.start();
  await kit.clock.advance(10_000);
  await pass();
  expect(await count('delivery_attempts')).toBe(0);
  const deleted = lines.filter(({ level }) => level === 30);
  expect(deleted).toMatchObject([{ table: 'delivery_attempts', rows: 120 }]);
  expect(lines).toContainEqual(expect.objectContaining({ level: 50, table: 'idempotency' }));
});

test('several processes that take the same step delete and count each row once', async () => {
  const { kit, deps, shop, count } = await setup();
  await writeDelivery(kit, shop, 'delivered', { attempts: 2 });
  const ended = { state: 'sent', due_at: null, finished_at: 0, attempts_count: 1 } as const;
  await kit.db.unit((tx) => insertMail(tx, { ...MAIL, ...ended, id: kit.deps.ids('mail') }));
  await kit.clock.jump(181 * DAY_MS);
  const rowsPruned: Record<string, number> = {};
  for (const retained of RETAINED_TABLES) {
    const steps = await Promise.all(Array.from({ length: 5 }, () => pruneStep(deps, retained)));
    rowsPruned[retained.table] = steps.reduce((sum, { rows }) => sum + rows, 0);
  }
  expect(rowsPruned).toMatchObject({ delivery_attempts: 2, mails: 1 });
  expect([await count('delivery_attempts'), await count('mails')]).toEqual([0, 0]);
});

test('a mail that still waits is kept at any age', async () => {
  const { kit, retention, pass, count } = await setup();
  const waiting = { state: 'queued', due_at: 1, finished_at: null, attempts_count: 0 } as const;
  await kit.db.unit((tx) => insertMail(tx, { ...MAIL, ...waiting, id: kit.deps.ids('mail') }));
  await kit.clock.jump(400 * DAY_MS);
  retention.start();
  await kit.clock.advance(10_000);
  await pass();
  expect(await count('mails')).toBe(1);
});

test('a clock that is set back does not stop pruning', async () => {
  const { kit, deps, shop } = await setup();
  const [retained] = RETAINED_TABLES;
  if (retained === undefined) throw new Error('no tables');
  const past = fakeClock(kit.clock.now() - 400 * DAY_MS);
  const ids = createIds(past, systemRandom);
  await writeDelivery({ deps: { ...kit.deps, clock: past, ids } }, shop, 'delivered', { attempts: 2 });
  await kit.clock.jump(1000 * DAY_MS);
  await pruneStep(deps, retained);
  const back = { ...deps, clock: fakeClock(past.now() + 200 * DAY_MS) };
  await writeDelivery({ deps: { ...kit.deps, clock: past, ids } }, shop, 'delivered', { attempts: 2 });
  expect((await pruneStep(back, retained)).rows).toBe(2);
});

test.each(['at its start', 'an hour later'])(
  'a clock that is two years ahead for minutes %s deletes nothing',
  async (when) => {
    const { kit, retention, shop, settle, count } = await setup();
    await writeDelivery(kit, shop, 'delivered', { attempts: 2 });
    await insertRows(kit.db, 'idempotency', {
      merchant_id: shop.id,
      key: 'young',
      created_at: kit.clock.now(),
    });
    if (when === 'an hour later') {
      retention.start();
      await kit.clock.advance(HOUR_MS);
    }
    await kit.clock.jump(730 * DAY_MS);
    if (when === 'at its start') retention.start();
    await kit.clock.advance(20_000);
    await settle();
    await kit.clock.jump(-730 * DAY_MS);
    await kit.clock.advance(HOUR_MS);
    await settle();
    expect(await count('idempotency')).toBe(1);
    expect(await count('delivery_attempts')).toBe(2);
  },
);
