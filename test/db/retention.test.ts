import { expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../../src/config.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { DeliveryState } from '../../src/db/tables/webhooks.ts';
import { noMetrics } from '../../src/deps.ts';
import { createIds, type Id } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { insertMail } from '../../src/mail/store.ts';
import { createRetention, RETAINED_TABLES } from '../../src/retention/retention.ts';
import { pruneStep } from '../../src/retention/step.ts';
import { keptLog } from '../banks/support.ts';
import { rowsIn } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { type Kit, webhookKit } from '../webhooks/kit.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A database with a shop, and retention that is not started yet. */
async function setup(changes: Partial<Settings> = {}) {
  const kit = await webhookKit();
  const { log, lines } = keptLog();
  const pruned: Record<string, number> = {};
  const metrics = {
    ...noMetrics,
    rowsPruned: (table: string, rows: number) => {
      pruned[table] = (pruned[table] ?? 0) + rows;
    },
  };
  const deps = { ...kit.deps, log, metrics, settings: { ...kit.deps.settings, ...changes } };
  const retention = createRetention(deps);
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
  return { kit, deps, retention, shop, settle, pass, count, pruned, lines };
}

/** A delivery made now that ended now (or is still due), with attempts of now. */
async function delivery(kit: Kit, merchantId: Id<'mer'>, state: DeliveryState = 'delivered', attempts = 2) {
  const { ids, clock, db } = kit.deps;
  const [id, eventId, now] = [ids('dlv'), ids('evt'), clock.now()];
  const shared = {
    merchant_id: merchantId,
    transaction_id: null,
    kind: 'payment.success' as const,
    created_at: now,
  };
  await db.unit(async (tx) => {
    await tx
      .insertInto('events')
      .values({ ...shared, id: eventId, body: '{}', sequence: null })
      .execute();
    await tx
      .insertInto('deliveries')
      .values({
        ...shared,
        id,
        event_id: eventId,
        state,
        lane_position: null,
        blocked: 0,
        attempts_count: attempts,
        next_attempt_at: state === 'due' ? now : null,
        claim_token: null,
        claimed_until: null,
        finished_at: state === 'due' ? null : now,
      })
      .execute();
    for (let number = 1; number <= attempts; number++) {
      await tx
        .insertInto('delivery_attempts')
        .values({ delivery_id: id, number, started_at: now, duration_ms: 5, status: 500, error: 'no' })
        .execute();
    }
  });
  return id;
}

test('attempts are pruned the configured number of days after their delivery ended, not an hour earlier', async () => {
  const { kit, retention, shop, settle, pass, count, pruned, lines } = await setup({
    deliveryAttemptDays: 30,
  });
  const old = await delivery(kit, shop.id, 'undelivered', 4);
  await kit.clock.advance(HOUR_MS * 3);
  await delivery(kit, shop.id);
  retention.start();
  await kit.clock.jump(30 * DAY_MS - 3 * HOUR_MS);
  await settle();
  await kit.clock.advance(HOUR_MS - 20_000);
  expect(await count('delivery_attempts'), 'also with a clock that is an hour ahead of the others').toBe(6);
  await pass();
  expect(await kit.attempts(old)).toEqual([]);
  expect(await count('delivery_attempts')).toBe(2);
  expect(await kit.delivery(old)).toMatchObject({ state: 'undelivered', attempts_count: 4 });
  expect(pruned).toEqual({ delivery_attempts: 4 });
  expect(lines).toMatchObject([{ table: 'delivery_attempts', rows: 4, olderThanDays: 30 }]);
  await retention.stop();
});

test('a due delivery keeps its attempts at any age and blocks no pruning of others', async () => {
  const { kit, retention, shop, pass } = await setup();
  const due = await Promise.all(Array.from({ length: 60 }, () => delivery(kit, shop.id, 'due', 1)));
  const ended = await delivery(kit, shop.id, 'skipped', 1);
  retention.start();
  await kit.clock.jump(91 * DAY_MS);
  await pass();
  expect(await kit.attempts(ended)).toEqual([]);
  for (const id of due) expect(await kit.attempts(id)).toHaveLength(1);
  await retention.stop();
});

test('idempotency answers are kept for exactly 7 days and pruned within the next two hours', async () => {
  const { kit, retention, shop, settle, pass, count } = await setup();
  const keep = (key: string) =>
    kit.db.unit((tx) =>
      tx
        .insertInto('idempotency')
        .values({ merchant_id: shop.id, key, fingerprint: 'f', response: '{}', created_at: kit.clock.now() })
        .execute(),
    );
  await keep('old');
  retention.start();
  await kit.clock.advance(10_000);
  await kit.clock.jump(7 * DAY_MS - 10_001);
  await settle();
  await kit.clock.advance(HOUR_MS - 20_000);
  expect(await count('idempotency'), 'also with a clock that is an hour ahead of the others').toBe(1);
  await keep('new');
  await pass();
  await pass();
  expect(await kit.db.read.selectFrom('idempotency').select('key').execute()).toEqual([{ key: 'new' }]);
  await retention.stop();
});

test('settled callback notifications are pruned; pending and recently repeated ones are kept', async () => {
  const { kit, retention, pass } = await setup();
  await kit.db.unit((tx) =>
    tx
      .insertInto('bank_accounts')
      .values({ id: 'acc_1', merchant_id: null, current: 1, credentials: '', created_at: 0 } as never)
      .execute(),
  );
  const { clock } = kit;
  const { ids } = kit.deps;
  const insertNotification = async (identity: string, receivedAt: number, checkAt: number | null) => {
    const row = { bank_order_id: null, request_id: null, amount_cents: null, params: '{}' };
    await kit.db.unit((tx) =>
      tx
        .insertInto('bank_hints')
        .values({
          ...row,
          id: ids('hnt'),
          account_id: 'acc_1',
          identity,
          received_at: receivedAt,
          checks_count: 1,
          check_at: checkAt,
        })
        .execute(),
    );
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
  await retention.stop();
});

test('pruning continues after a database failure, and never deletes a transaction, an event or a delivery', async () => {
  const { kit, deps, shop, count, lines } = await setup();
  await delivery(kit, shop.id);
  const payment = await kit.payment(shop);
  await kit.announce(shop, payment);
  let broken = true;
  const unit: typeof kit.db.unit = (work) =>
    broken ? Promise.reject(new Error('disk full')) : kit.db.unit(work);
  const retention = createRetention({ ...deps, db: { ...kit.db, read: kit.db.read, unit } });
  retention.start();
  await kit.clock.jump(400 * DAY_MS);
  await until(() => lines.some(({ level }) => level === 50), 'the failure to be logged');
  broken = false;
  await until(async () => {
    await kit.clock.advance(60_000);
    return lines.some(({ level }) => level === 30);
  }, 'the loop to go on');
  const tables = ['transactions', 'events', 'deliveries', 'merchants'] as const;
  expect(await Promise.all(tables.map(count))).toEqual([1, 2, 2, 1]);
  await retention.stop();
});

test('a table that cannot be pruned is logged and blocks no other table', async () => {
  const { kit, retention, shop, pass, count, pruned, lines } = await setup();
  for (let i = 0; i < 120; i++) await delivery(kit, shop.id, 'delivered', 1);
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
  expect(pruned).toEqual({ delivery_attempts: 120 });
  expect(lines).toContainEqual(expect.objectContaining({ level: 50, table: 'idempotency' }));
  await retention.stop();
});

test('several processes that take the same step delete and count each row once', async () => {
  const { kit, deps, shop, count } = await setup();
  await delivery(kit, shop.id);
  const mail = { id: kit.deps.ids('mail'), kind: 'payment-receipt', entity: 'tx_1', reader: '' } as const;
  const ended = { state: 'sent', link: null, error: null, due_at: null, finished_at: 0 } as const;
  await kit.db.unit((tx) => insertMail(tx, { ...mail, ...ended, attempts_count: 1, planned_at: 0 }));
  await kit.clock.jump(181 * DAY_MS);
  const rowsPruned: Record<string, number> = {};
  for (const retained of RETAINED_TABLES) {
    const steps = await Promise.all(Array.from({ length: 5 }, () => pruneStep(deps, retained)));
    rowsPruned[retained.table] = steps.reduce((sum, { rows }) => sum + rows, 0);
  }
  expect(rowsPruned).toMatchObject({ delivery_attempts: 2, mails: 1 });
  expect([await count('delivery_attempts'), await count('mails')]).toEqual([0, 0]);
});

test('a clock that is set back does not stop pruning', async () => {
  const { kit, deps, shop } = await setup();
  const [retained] = RETAINED_TABLES;
  if (retained === undefined) throw new Error('no tables');
  const past = fakeClock(kit.clock.now() - 400 * DAY_MS);
  const ids = createIds(past, systemRandom);
  await delivery({ ...kit, deps: { ...kit.deps, clock: past, ids } }, shop.id);
  await kit.clock.jump(1000 * DAY_MS);
  await pruneStep(deps, retained);
  const back = { ...deps, clock: fakeClock(past.now() + 200 * DAY_MS) };
  await delivery({ ...kit, deps: { ...kit.deps, clock: past, ids } }, shop.id);
  expect((await pruneStep(back, retained)).rows).toBe(2);
});
