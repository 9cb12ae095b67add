import { expect, test } from 'vitest';
import { createIds } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { KINDS } from '../../src/retention/kinds.ts';
import { createRetention } from '../../src/retention/retention.ts';
import { pruneStep } from '../../src/retention/step.ts';
import { engine } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { DAY_MS, delivery, setup } from './retention-support.ts';

test('a step is small whatever there is to forget, and steps keep their distance', async () => {
  const { kit, deps, shop, count } = await setup();
  const [kind] = KINDS;
  if (kind === undefined) throw new Error('no kinds');
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
    const step = await pruneStep(deps, kind);
    expect(step.rows).toBeLessThanOrEqual(1000);
    expect(before - (await count('delivery_attempts'))).toBe(step.rows);
    const tooEarly = await pruneStep(deps, kind);
    expect(tooEarly).toEqual({ restMs: null, rows: 0, passRows: null, nextAt: step.nextAt });
    done = step.passRows !== null;
    if (done) expect(step.passRows).toBe(made);
    else await kit.clock.jump(200);
  }
  expect(steps).toBeGreaterThanOrEqual(3);
});

test('a look at what is old takes few rows, so that a step can end in time: other units wait behind it', async () => {
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
  for (const kind of KINDS) {
    const { rows, after } = await db.unit((tx) => kind.prune(tx, clock.now() - 90 * DAY_MS, ''));
    expect(rows, kind.table).toBeGreaterThan(0);
    expect(rows, kind.table).toBeLessThanOrEqual(engine === 'sqlite' ? 50 : 200);
    if (engine === 'sqlite') expect(after, kind.table).not.toBeNull();
  }
});

test('steps keep their distance whatever their kind, and each kind has its turn', async () => {
  const { kit, deps, shop } = await setup();
  const steps: { at: number; table: string }[] = [];
  const metrics = {
    ...deps.metrics,
    rowsPruned: (table: string) => void steps.push({ at: kit.clock.now(), table }),
  };
  for (let i = 0; i < 1100; i++) await delivery(kit, shop.id, 'delivered', 1);
  await kit.db.unit(async (tx) => {
    for (let i = 0; i < 450; i++) {
      const answer = { merchant_id: shop.id, key: `old-${i}`, fingerprint: 'f', response: '{}' };
      await tx
        .insertInto('idempotency')
        .values({ ...answer, created_at: kit.clock.now() })
        .execute();
    }
  });
  await kit.clock.jump(91 * DAY_MS);
  const retention = createRetention({ ...deps, metrics });
  retention.start();
  await kit.clock.advance(10_000);
  await until(async () => {
    await kit.clock.advance(50);
    return new Set(steps.slice(0, 4).map(({ table }) => table)).size === 2 && steps.length >= 4;
  }, 'steps of both kinds');
  for (const [i, { at }] of steps.slice(1).entries()) {
    expect(at - (steps[i]?.at ?? 0), JSON.stringify(steps)).toBeGreaterThanOrEqual(20);
  }
  await retention.stop();
});

test('a kind that cannot be pruned keeps no other back, and is told of in the log', async () => {
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

test('of processes that take the same step at once one does it', async () => {
  const { kit, deps, shop, count } = await setup();
  await delivery(kit, shop.id);
  await kit.clock.jump(91 * DAY_MS);
  const [kind] = KINDS;
  if (kind === undefined) throw new Error('no kinds');
  const steps = await Promise.all(Array.from({ length: 5 }, () => pruneStep(deps, kind)));
  expect(steps.map(({ rows }) => rows).sort()).toEqual([0, 0, 0, 0, 2]);
  expect(await count('delivery_attempts')).toBe(0);
});

test('a clock that was set back far does not stop the forgetting', async () => {
  const { kit, deps, shop } = await setup();
  const [kind] = KINDS;
  if (kind === undefined) throw new Error('no kinds');
  const past = fakeClock(kit.clock.now() - 400 * DAY_MS);
  const ids = createIds(past, systemRandom);
  await delivery({ ...kit, deps: { ...kit.deps, clock: past, ids } }, shop.id);
  await kit.clock.jump(1000 * DAY_MS);
  await pruneStep(deps, kind);
  const back = { ...deps, clock: fakeClock(past.now() + 200 * DAY_MS) };
  await delivery({ ...kit, deps: { ...kit.deps, clock: past, ids } }, shop.id);
  expect((await pruneStep(back, kind)).rows).toBe(2);
});
