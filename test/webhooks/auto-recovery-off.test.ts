import { expect, test } from 'vitest';
import { recoverEvents } from '../../src/webhooks/recovery/recover-events.ts';
import { engine } from '../support/database.ts';
import { holdTransaction, isAnyWaiting } from '../support/lock-waits.ts';
import { until } from '../support/until.ts';
import { autoRecovering, FIRST_MS, reaches, recoveries, SECOND_MS } from './auto-recovery-kit.ts';
import { failed, writeDelivery } from './kit.ts';

test('switched off it sends nothing more; switched on again the wait counts from then', async () => {
  const { endpoint, kit, shop, switched, received, receives, missed } = await autoRecovering();
  await switched(1);
  const { eventId } = await missed();
  await reaches(kit, shop, 'waiting');
  await switched(0);
  await reaches(kit, shop, undefined);
  endpoint.fails = false;
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
  const { endpoint, kit, shop, switched, received } = await autoRecovering();
  await switched(1);
  const payment = await kit.payment(shop);
  const first = await kit.announce(shop, payment, 'payment.failed');
  const second = await kit.announce(shop, payment);
  for (const { deliveryId } of [first, second]) await failed(kit, deliveryId);
  await reaches(kit, shop, 'waiting');
  endpoint.fails = false;
  const fresh = await kit.announce(shop, await kit.payment(shop));
  await kit.reaches(fresh.deliveryId, 'delivered');
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

test('switched off, it also skips what an earlier release queued', async () => {
  const { kit, dispatcher, shop, switched, missed } = await autoRecovering();
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
  await switched(0);
  await reaches(kit, shop, undefined);
  for (const event of [eventId, next.event])
    expect((await recoveries(kit, event)).map(({ state }) => state)).toEqual(['skipped']);
});

test('switched off, it also skips what an earlier version queued during an upgrade', async () => {
  const { kit, dispatcher, shop, switched } = await autoRecovering();
  await dispatcher.stop();
  await switched(1);
  await reaches(kit, shop, 'idle');
  const { event } = await writeDelivery(kit, shop, 'undelivered');
  await reaches(kit, shop, 'probing');
  // Earlier versions do not know the column.
  await kit.db.unit((tx) => tx.updateTable('recoveries').set({ automatic: 0 }).execute());
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
    const { kit, dispatcher, shop, switched } = await autoRecovering();
    await dispatcher.stop();
    await switched(1);
    await reaches(kit, shop, 'idle');
    const { event } = await writeDelivery(kit, shop, 'undelivered');
    await reaches(kit, shop, 'probing');
    const commit = await holdTransaction(kit.db, (tx) =>
      tx
        .updateTable('deliveries')
        .set({ claim_token: 'theirs', attempts_count: 1 })
        .where('recovery_id', 'is not', null)
        .execute(),
    );
    await switched(0);
    await kit.clock.advanceUntil(500, () => isAnyWaiting(kit.db));
    await commit();
    await reaches(kit, shop, undefined);
    expect((await recoveries(kit, event)).map(({ state }) => state)).toEqual(['due']);
  },
);
