import { expect, test, vi } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { lockTransaction } from '../../src/payments/store.ts';
import { recordOutcomes } from '../../src/webhooks/delivery/recorder.ts';
import { createAutoRecovery } from '../../src/webhooks/recovery/auto-recovery.ts';
import { insertState } from '../../src/webhooks/recovery/auto-store.ts';
import { recoverEvents } from '../../src/webhooks/recovery/recover-events.ts';
import { insertRecovery } from '../../src/webhooks/recovery/store.ts';
import { BLOCKED } from '../../src/webhooks/store.ts';
import { engine } from '../support/database.ts';
import { holdTransaction, isAnyWaiting } from '../support/lock-waits.ts';
import { insertRows, updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import {
  autoRecovering,
  FIRST_MS,
  probing,
  reaches,
  recoveries,
  SECOND_MS,
  startRecovery,
  unclaimed,
} from './auto-recovery-kit.ts';
import { claim, webhookKit, writeDelivery } from './kit.ts';

test('switched off it sends nothing more; switched on again the wait counts from then', async () => {
  const { endpoint, kit, shop, switched, received, receives, missed, delivered } = await autoRecovering();
  await switched(1);
  const { eventId } = await missed();
  await reaches(kit, shop, 'waiting');
  await switched(0);
  await reaches(kit, shop, undefined);
  endpoint.fails = false;
  await delivered();
  await kit.clock.advance(10 * FIRST_MS);
  expect(received(eventId)).toBe(4);

  await switched(1);
  const since = kit.clock.now();
  await reaches(kit, shop, 'waiting');
  await receives(eventId, 5);
  const [recovered] = await recoveries(kit, eventId);
  expect((recovered?.created_at ?? 0) - since).toBeGreaterThanOrEqual(FIRST_MS);
});

test('switched off during a release it skips what has not begun; what has begun has its four attempts', async () => {
  const { endpoint, kit, shop, switched, received, missed, delivered } = await autoRecovering();
  await switched(1);
  const payment = await kit.payment(shop);
  const first = await missed(payment, 'payment.failed');
  const second = await missed(payment);
  await reaches(kit, shop, 'waiting');
  endpoint.fails = false;
  await delivered();
  endpoint.fails = true;
  await kit.clock.advanceUntil(100, () => received(first.eventId) === 5, 'the first attempt of the recovery');
  await switched(0);
  await kit.clock.advanceUntil(
    500,
    async () => (await recoveries(kit, first.eventId))[0]?.state === 'undelivered',
    'the end of the delivery',
  );
  await reaches(kit, shop, undefined);
  await kit.clock.advance(10 * SECOND_MS);
  expect([first, second].map(({ eventId }) => received(eventId))).toEqual([8, 4]);
  expect((await recoveries(kit, second.eventId)).map(({ state }) => state)).toEqual(['skipped']);
});

test('what has not begun is not sent in the moment before the job sees that it is switched off', async () => {
  const { receiver, kit, switched, received, event } = await probing();
  await switched(0);
  kit.start({ ca: receiver.ca });
  const state = async () => (await recoveries(kit, event))[0]?.state;
  await until(async () => received(event) > 0 || (await state()) !== 'due', 'the end of the recovery');
  expect([await state(), received(event)]).toEqual(['skipped', 0]);
});

test('switched off, it also skips what an earlier release queued, and nothing of another merchant', async () => {
  const { receiver, kit, dispatcher, shop, switched, missed } = await autoRecovering();
  const { eventId } = await missed();
  // Nothing is claimed, as while the endpoint has no free slot.
  await dispatcher.stop();
  await switched(1);
  await reaches(kit, shop, 'waiting');
  await kit.clock.advance(1);
  await writeDelivery(kit, shop, 'delivered');
  await reaches(kit, shop, 'idle');
  const next = await writeDelivery(kit, shop, 'undelivered');
  await reaches(kit, shop, 'probing');
  const other = await kit.shop(receiver.url);
  await kit.set(other, { auto_recover: 1 });
  await reaches(kit, other, 'idle');
  const ofOther = await writeDelivery(kit, other, 'undelivered');
  await reaches(kit, other, 'probing');
  await switched(0);
  await reaches(kit, shop, undefined);
  for (const event of [eventId, next.event])
    expect((await recoveries(kit, event)).map(({ state }) => state)).toEqual(['skipped']);
  expect((await recoveries(kit, ofOther.event)).map(({ state }) => state)).toEqual(['due']);
});

test('an undelivered event is recovered although its recovery was skipped while the webhook was off', async () => {
  const { endpoint, receiver, kit, shop, received, receives, delivered, eventId } = await unclaimed();
  kit.start({ ca: receiver.ca });
  const isSkipped = async () => (await recoveries(kit, eventId))[0]?.state === 'skipped';
  await until(isSkipped, 'the end of the recovery');
  endpoint.fails = false;
  await kit.set(shop, { webhook_enabled: 1 });
  await reaches(kit, shop, 'waiting');
  await delivered();
  await receives(eventId, 5);
  await reaches(kit, shop, 'idle');
  await kit.clock.advance(2 * SECOND_MS);
  expect(received(eventId)).toBe(5);
});

test('what a release has queued and is skipped or undelivered before its last page is missed again', async () => {
  const { kit, dispatcher, shop, switched } = await autoRecovering();
  await dispatcher.stop();
  await switched(1);
  await reaches(kit, shop, 'idle');
  const events: Id<'evt'>[] = [];
  for (let i = 0; i < 201; i++) events.push((await writeDelivery(kit, shop, 'undelivered')).event);
  await reaches(kit, shop, 'waiting');
  await kit.clock.advance(1);
  await writeDelivery(kit, shop, 'delivered');
  await reaches(kit, shop, 'releasing');
  const now = kit.clock.now();
  for (const [event, state] of [
    [events[0], 'skipped'],
    [events[1], 'undelivered'],
  ] as const) {
    const [row] = await recoveries(kit, event ?? 'evt_');
    await kit.setDelivery(row?.id ?? 'dlv_', { state, finished_at: now, next_attempt_at: null });
  }
  await reaches(kit, shop, 'idle');
  await reaches(kit, shop, 'waiting');
  await kit.clock.advance(1);
  await writeDelivery(kit, shop, 'delivered');
  await reaches(kit, shop, 'idle');
  for (const event of events.slice(0, 2)) expect((await recoveries(kit, event)).at(-1)?.state).toBe('due');
});

test.skipIf(engine === 'sqlite')(
  'switched on again while it still skips, it recovers what it has skipped',
  async () => {
    const { kit, dispatcher, shop, switched } = await autoRecovering();
    await dispatcher.stop();
    const [first, second] = [
      await writeDelivery(kit, shop, 'undelivered'),
      await writeDelivery(kit, shop, 'undelivered'),
    ];
    await switched(1);
    await reaches(kit, shop, 'waiting');
    await kit.clock.advance(1);
    await writeDelivery(kit, shop, 'delivered');
    await reaches(kit, shop, 'idle');
    const [claimed] = await recoveries(kit, second.event);
    const commit = await holdTransaction(kit.db, (tx) =>
      tx
        .selectFrom('deliveries')
        .select('id')
        .where('id', '=', claimed?.id ?? second.id)
        .forUpdate()
        .execute(),
    );
    await switched(0);
    const isSkipped = async () => (await recoveries(kit, first.event))[0]?.state === 'skipped';
    await kit.clock.advanceUntil(500, isSkipped, 'the end of the first recovery');
    await switched(1);
    await commit();
    const isRecovered = async () => (await recoveries(kit, first.event)).length === 2;
    await kit.clock.advanceUntil(500, isRecovered, 'another recovery');
  },
);

test('switched off, it also skips what an earlier version queued during an upgrade', async () => {
  const { kit, shop, event, switched } = await probing();
  // Earlier versions do not know the column.
  await updateRows(kit.db, 'recoveries', { automatic: 0 });
  await switched(0);
  await reaches(kit, shop, undefined);
  expect((await recoveries(kit, event)).map(({ state }) => state)).toEqual(['skipped']);
});

test('switched off, it releases the event of an operator that waited behind its probe', async () => {
  const { endpoint, receiver, kit, dispatcher, shop, switched, missed } = await autoRecovering();
  const payment = await kit.payment(shop);
  const first = await missed(payment, 'payment.failed');
  const second = await missed(payment);
  // Nothing is claimed, as while the endpoint has no free slot.
  await dispatcher.stop();
  await switched(1);
  await reaches(kit, shop, 'probing');
  const run = recoverEvents(kit.deps, { merchantId: shop.id, since: 0, latest: false });
  while (!(await run.next()).done);
  expect(await recoveries(kit, second.eventId)).toMatchObject([{ blocked: BLOCKED.recoveryBehindEarlier }]);
  await switched(0);
  await reaches(kit, shop, undefined);
  endpoint.fails = false;
  kit.start({ ca: receiver.ca });
  await until(async () => (await recoveries(kit, second.eventId))[0]?.state === 'delivered', 'the event');
  expect((await recoveries(kit, first.eventId)).map(({ state }) => state)).toEqual(['skipped']);
});

test.runIf(engine === 'postgres')(
  'switched off, it does not skip a delivery that another process is just claiming',
  async () => {
    const { kit, shop, event, switched } = await probing();
    const commit = await holdTransaction(kit.db, (tx) =>
      tx
        .updateTable('deliveries')
        .set({ claim_token: 'theirs', attempts_count: 1 })
        .where('recovery_id', 'is not', null)
        .execute(),
    );
    let runs = 0;
    const { unit } = kit.db;
    vi.spyOn(kit.db, 'unit').mockImplementation((work) => unit(work).finally(() => runs++));
    await switched(0);
    await kit.clock.advanceUntil(500, async () => runs > 1 || (await isAnyWaiting(kit.db)));
    await commit();
    await reaches(kit, shop, undefined);
    expect((await recoveries(kit, event)).map(({ state }) => state)).toEqual(['due']);
  },
);

test.runIf(engine === 'postgres')(
  'switched off, it does not deadlock with the outcome of an earlier event of the same transaction',
  async () => {
    const kit = await webhookKit();
    const shop = await kit.shop('https://shop.example/hook');
    const payment = await kit.payment(shop);
    const first = await kit.announce(shop, payment, 'payment.failed');
    const second = await kit.announce(shop, payment);
    const attempt = await claim(kit, shop, first.deliveryId);
    // As a recovery queues both events; the first one is on its way.
    const run = kit.deps.ids('rcv');
    const now = kit.clock.now();
    const recovery = { id: run, merchant_id: shop.id, since_at: now, created_at: now } as const;
    await kit.db.unit((tx) => insertRecovery(tx, { ...recovery, latest: 0, automatic: 1, queued_at: now }));
    await insertRows(kit.db, 'auto_recoveries', { merchant_id: shop.id, since_at: now, run_id: run });
    await kit.setDelivery(first.deliveryId, { recovery_id: run, blocked: 2 });
    await kit.setDelivery(second.deliveryId, { recovery_id: run, blocked: 3 });
    const failures: unknown[] = [];
    const { unit } = kit.db;
    vi.spyOn(kit.db, 'unit').mockImplementation((work) =>
      unit((tx) =>
        work(tx).catch((error) => {
          failures.push(error);
          throw error;
        }),
      ),
    );
    const release = await holdTransaction(kit.db, (tx) => lockTransaction(tx, payment.id));
    const result = { error: null, errorDetail: null, status: 200, response: '', durationMs: 1, endedAt: now };
    const recorded = recordOutcomes(kit.deps, () => [{ attempt, result }]);
    await until(() => isAnyWaiting(kit.db), 'the outcome to wait for the transaction');
    startRecovery(kit.deps);
    await until(() => isAnyWaiting(kit.db, 2), 'the recovery to wait for the transaction');
    await release();
    await recorded;
    await reaches(kit, shop, undefined);
    expect(failures).toEqual([]);
    expect((await recoveries(kit, first.eventId)).map(({ state }) => state)).toEqual(['delivered']);
    expect((await recoveries(kit, second.eventId)).map(({ state }) => state)).toEqual(['skipped']);
  },
);

test.each([0, 1] as const)(
  'a stop does not wait for further merchants (switched on: %d)',
  async (auto_recover) => {
    const kit = await webhookKit();
    const shops = [await kit.shop(null), await kit.shop(null), await kit.shop(null)];
    for (const shop of shops) await kit.set(shop, { auto_recover });
    const idle = { since_at: 1, phase: 'idle', step: 0, after_at: 0, after_id: '' } as const;
    for (const { id } of auto_recover === 0 ? shops : [])
      await kit.db.unit((tx) => insertState(tx, { merchant_id: id, ...idle }));
    let steps = 0;
    const unit: typeof kit.db.unit = (work, options) => {
      steps++;
      stopped ??= job.stop();
      return kit.db.unit(work, options);
    };
    let stopped: Promise<void> | undefined;
    const job = createAutoRecovery({ ...kit.deps, db: { ...kit.db, unit } });
    job.start();
    await until(() => stopped !== undefined, 'the first merchant');
    await stopped;
    expect(steps).toBe(1);
  },
);
