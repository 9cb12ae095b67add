import { expect, test } from 'vitest';
import { createIds } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { RETAINED_TABLES } from '../../src/retention/retention.ts';
import { pruneStep } from '../../src/retention/step.ts';
import { engine } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { DAY_MS, delivery, setup } from './retention-support.ts';

test('a step is small whatever its backlog, and is not repeated before it is due', async () => {
  const { kit, deps, shop, count } = await setup();
  const [retained] = RETAINED_TABLES;
  if (retained === undefined) throw new Error('no tables');
  const { ids } = kit.deps;
  const first = await delivery(kit, shop.id, 'delivered', 0);
  const { event_id: eventId } = await kit.delivery(first);
  const made = 2500;
  for (let from = 0; from < made; from += 250) {
    const rows = Array.from({ length: 250 }, () => ids('dlv'));
    await kit.db.unit(async (tx) => {
      await tx
        .insertInto('deliveries')
        .values(
          rows.map((id) => ({
            ...{
              id,
              event_id: eventId,
              merchant_id: shop.id,
              transaction_id: null,
              kind: 'payment.success' as const,
            },
            ...{ state: 'delivered' as const, blocked: 0 as const, attempts_count: 1 },
            ...{ created_at: kit.clock.now(), finished_at: kit.clock.now() },
          })),
        )
        .execute();
      await tx
        .insertInto('delivery_attempts')
        .values(rows.map((id) => ({ delivery_id: id, number: 1, started_at: kit.clock.now() })))
        .execute();
    });
  }
  await kit.clock.jump(91 * DAY_MS);
  let steps = 0;
  for (let done = false; !done; steps++) {
    const before = await count('delivery_attempts');
    const step = await pruneStep(deps, retained);
    expect(step.rows).toBeLessThanOrEqual(1000);
    expect(before - (await count('delivery_attempts'))).toBe(step.rows);
    const tooEarly = await pruneStep(deps, retained);
    expect(tooEarly).toEqual({ rows: 0, passRows: null, nextAt: step.nextAt });
    done = step.passRows !== null;
    if (done) expect(step.passRows).toBe(made);
    else await kit.clock.jump(200);
  }
  expect(steps).toBeGreaterThanOrEqual(3);
});

test('a batch reads few rows, so that a step can end in time', async () => {
  const { kit, shop } = await setup();
  const { clock } = kit;
  const { ids, db } = kit.deps;
  const old = { received_at: clock.now(), checks_count: 1, check_at: null, params: '{}', amount_cents: null };
  await db.unit(async (tx) => {
    await tx
      .insertInto('bank_accounts')
      .values({ id: 'acc_1', merchant_id: null, current: 1, credentials: '', created_at: 0 } as never)
      .execute();
    for (let i = 0; i < 60; i++) {
      const hint = { ...old, id: ids('hnt'), account_id: 'acc_1' as const, identity: `old:${i}` };
      await tx
        .insertInto('bank_hints')
        .values({ ...hint, bank_order_id: null, request_id: null })
        .execute();
      await tx
        .insertInto('idempotency')
        .values({
          ...{ merchant_id: shop.id, key: `old-${i}`, fingerprint: 'f', response: '{}' },
          created_at: clock.now(),
        })
        .execute();
    }
  });
  for (let i = 0; i < 60; i++) await delivery(kit, shop.id, 'delivered', 1);
  await clock.jump(91 * DAY_MS);
  for (const retained of RETAINED_TABLES) {
    const { rows, after } = await db.unit((tx) => retained.prune(tx, clock.now() - 90 * DAY_MS, ''));
    expect(rows, retained.table).toBeGreaterThan(0);
    expect(rows, retained.table).toBeLessThanOrEqual(engine === 'sqlite' ? 50 : 200);
    if (engine === 'sqlite') expect(after, retained.table).not.toBeNull();
  }
});

test('a table that cannot be pruned is logged and keeps no other back', async () => {
  const { kit, retention, shop, pass, count, pruned, lines } = await setup();
  for (let i = 0; i < 120; i++) await delivery(kit, shop.id, 'delivered', 1);
  await kit.db.unit((tx) =>
    tx.insertInto('meta').values({ key: 'retention_idempotency', value: 'not json' }).execute(),
  );
  await kit.clock.jump(91 * DAY_MS);
  retention.start();
  await kit.clock.advance(10_000);
  await pass();
  expect(await count('delivery_attempts')).toBe(0);
  expect(pruned).toEqual({ delivery_attempts: 120 });
  expect(lines).toContainEqual(expect.objectContaining({ level: 50, table: 'idempotency' }));
  await retention.stop();
});

test('of several processes that start the same step, one runs it', async () => {
  const { kit, deps, shop, count } = await setup();
  await delivery(kit, shop.id);
  await kit.clock.jump(91 * DAY_MS);
  const [retained] = RETAINED_TABLES;
  if (retained === undefined) throw new Error('no tables');
  const steps = await Promise.all(Array.from({ length: 5 }, () => pruneStep(deps, retained)));
  expect(steps.map(({ rows }) => rows).sort()).toEqual([0, 0, 0, 0, 2]);
  expect(await count('delivery_attempts')).toBe(0);
});

test('a clock that is set back does not stop the retention', async () => {
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
