import { expect, test } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { transactionEvents } from '../../src/webhooks/history.ts';
import { listRecoveries } from '../../src/webhooks/recovery/list.ts';
import { recoverEvents } from '../../src/webhooks/recovery/recover-events.ts';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import { sendTestEvent } from '../../src/webhooks/test-event.ts';
import { engine } from '../support/database.ts';
import { selectRows, updateRows } from '../support/rows.ts';
import { autoRecovering, FIRST_MS, phaseOf, reaches, recoveries, SECOND_MS } from './auto-recovery-kit.ts';
import { failed } from './kit.ts';

test('the oldest missed event is tried after each wait, and any success releases all of them in order', async () => {
  const { endpoint, receiver, kit, shop, switched, received, receives, missed, delivered } =
    await autoRecovering();
  await switched(1);
  const first = await missed();
  const second = await missed();
  expect(await phaseOf(kit, shop)).toBe('waiting');
  const ended = (await kit.delivery(first.deliveryId)).finished_at ?? 0;
  await reaches(kit, shop, 'probing');
  const [probe] = await recoveries(kit, first.eventId);
  expect((probe?.created_at ?? 0) - ended).toBeGreaterThanOrEqual(FIRST_MS);
  await reaches(kit, shop, 'waiting');
  expect(received(first.eventId)).toBe(8);
  await reaches(kit, shop, 'probing');
  const [before, again] = await recoveries(kit, first.eventId);
  expect((again?.created_at ?? 0) - (before?.finished_at ?? 0)).toBeGreaterThanOrEqual(SECOND_MS);
  await reaches(kit, shop, 'resting');
  // Nothing more is sent, however long the endpoint stays down, and a success of another merchant releases nothing.
  const other = await kit.shop(receiver.url);
  endpoint.fails = false;
  await delivered(other);
  endpoint.fails = true;
  await kit.clock.advance(10 * SECOND_MS);
  expect([received(first.eventId), received(second.eventId)]).toEqual([12, 4]);

  endpoint.fails = false;
  const fresh = await delivered();
  await receives(second.eventId, 5);
  const order = receiver.requests.map(({ headers }) => headers['webhook-id']).slice(-3);
  expect(order).toEqual([fresh.eventId, first.eventId, second.eventId]);
  expect(await reaches(kit, shop, 'idle')).toBeLessThan(5000);
  const runs = await listRecoveries(kit.deps, shop.id);
  expect(runs.map(({ complete }) => complete)).toEqual([true, true, true]);
});

test('a wait counts from the end of the delivery before it, also when the service was paused', async () => {
  const { kit, shop, switched, missed } = await autoRecovering();
  await switched(1);
  const { eventId } = await missed();
  await reaches(kit, shop, 'probing');
  const hasEnded = async () => (await recoveries(kit, eventId))[0]?.state === 'undelivered';
  await kit.clock.advanceUntil(100, hasEnded, 'the end of the probe');
  await kit.clock.jump(SECOND_MS);
  await reaches(kit, shop, 'waiting');
  expect(await reaches(kit, shop, 'probing')).toBeLessThan(SECOND_MS / 2);
});

test.each(['a resent event', 'the probe'])('%s that arrives releases the missed events', async (how) => {
  const { endpoint, kit, shop, switched, received, receives, missed } = await autoRecovering();
  await switched(1);
  const first = await missed();
  const second = await missed();
  await reaches(kit, shop, 'waiting');
  endpoint.fails = false;
  if (how === 'a resent event') {
    // As after the last wait: nothing but a success begins a recovery.
    await updateRows(kit.db, 'auto_recoveries', { phase: 'resting', due_at: null });
    await resendDelivery(kit.deps, second.deliveryId);
  }
  const counts = () => [first, second].map(({ eventId }) => received(eventId));
  await receives(first.eventId, 5);
  await receives(second.eventId, 5);
  await reaches(kit, shop, 'idle');
  await kit.clock.advance(2 * SECOND_MS);
  expect(counts()).toEqual([5, 5]);
  const { transaction_id } = await kit.delivery(first.deliveryId);
  const { deliveries } = await transactionEvents(kit.db.read, transaction_id as Id<'tx'>);
  expect(deliveries.map(({ state, recovery }) => ({ state, recovery }))).toEqual([
    { state: 'undelivered', recovery: false },
    { state: 'delivered', recovery: true },
  ]);
});

// On PostgreSQL the job runs every ten seconds, and the resent events have ended by then.
test.skipIf(engine === 'postgres')(
  'the event missed first is tried, whatever the order in which resent ones end',
  async () => {
    const { kit, shop, switched, missed } = await autoRecovering();
    await switched(1);
    const first = await missed();
    const second = await missed();
    await reaches(kit, shop, 'waiting');
    // The wait ends while both are on their way again.
    for (const { deliveryId } of [second, first]) {
      await resendDelivery(kit.deps, deliveryId);
      await kit.clock.advance(500);
    }
    await reaches(kit, shop, 'idle');
    await reaches(kit, shop, 'probing');
    expect((await recoveries(kit, first.eventId)).length).toBe(1);
    expect(await recoveries(kit, second.eventId)).toEqual([]);
  },
);

test('a recovered event is not sent once a later one of its transaction was delivered', async () => {
  const { endpoint, kit, shop, switched, received, receives, missed } = await autoRecovering();
  await switched(1);
  const payment = await kit.payment(shop);
  const { eventId } = await missed(payment, 'payment.failed');
  await receives(eventId, 7);
  endpoint.fails = false;
  const later = await kit.announce(shop, payment);
  await kit.reaches(later.deliveryId, 'delivered');
  await kit.clock.advance(SECOND_MS);
  expect(received(eventId)).toBe(7);
  expect((await recoveries(kit, eventId)).map(({ state }) => state)).toEqual(['skipped']);
  expect(await phaseOf(kit, shop)).toBe('idle');
});

test('an event is not recovered once a later one of its transaction was resent', async () => {
  const { endpoint, kit, shop, switched, missed } = await autoRecovering();
  const payment = await kit.payment(shop);
  const earlier = await missed(payment, 'payment.failed');
  const later = await missed(payment);
  endpoint.fails = false;
  await switched(1);
  await reaches(kit, shop, 'waiting');
  const resent = await resendDelivery(kit.deps, later.deliveryId);
  await kit.reaches(resent.deliveryId, 'delivered');
  await reaches(kit, shop, 'idle');
  expect(await recoveries(kit, earlier.eventId)).toEqual([]);
});

// On PostgreSQL the job runs every ten seconds, and the later event has ended by then.
test.skipIf(engine === 'postgres')(
  'an event is not recovered while a later one of its transaction is',
  async () => {
    const { endpoint, kit, shop, switched, missed, delivered } = await autoRecovering();
    const payment = await kit.payment(shop);
    const { eventId: earlier } = await missed(payment, 'payment.failed');
    const { eventId: later } = await missed(payment);
    for (const eventId of [earlier, later]) endpoint.refused.add(eventId);
    await switched(1);
    await reaches(kit, shop, 'waiting');
    endpoint.fails = false;
    await delivered();
    await kit.clock.advanceUntil(
      100,
      async () => (await recoveries(kit, later))[0]?.attempts_count === 3,
      'three attempts of the later event',
    );
    await delivered();
    await reaches(kit, shop, 'releasing');
    await kit.clock.advance(1000);
    expect((await recoveries(kit, later)).map(({ state }) => state)).toEqual(['due']);
    expect((await recoveries(kit, earlier)).map(({ state }) => state)).toEqual(['undelivered']);
    await reaches(kit, shop, 'idle');
    expect((await recoveries(kit, later)).map(({ state }) => state)).toEqual(['undelivered', 'due']);
    expect((await recoveries(kit, earlier)).map(({ state }) => state)).toEqual(['undelivered', 'due']);
  },
);

test('the oldest missed event waits for a later one of its transaction that an operator recovers', async () => {
  const { kit, shop, switched, missed } = await autoRecovering();
  const payment = await kit.payment(shop);
  const earlier = await missed(payment, 'payment.failed');
  await missed(payment);
  await switched(1);
  await reaches(kit, shop, 'waiting');
  await kit.clock.advance(FIRST_MS - 3000);
  const since = kit.clock.now() - SECOND_MS;
  const run = recoverEvents(kit.deps, { merchantId: shop.id, since, latest: true });
  expect((await run.next()).value).toBe(1);
  // The wait has ended, and the later event has one attempt left.
  await kit.clock.advance(5000);
  expect(await recoveries(kit, earlier.eventId)).toEqual([]);
  await reaches(kit, shop, 'probing');
  expect(await recoveries(kit, earlier.eventId)).toHaveLength(1);
});

test('an endpoint that refuses some events receives each in three recoveries more than there are waits', async () => {
  const { endpoint, kit, switched, missed, delivered } = await autoRecovering();
  await switched(1);
  const eventIds = [(await missed()).eventId, (await missed()).eventId];
  for (const eventId of eventIds) endpoint.refused.add(eventId);
  endpoint.fails = false;
  for (let successes = 0; successes < 7; successes++) {
    await delivered();
    await kit.clock.advance(15_000);
  }
  for (const eventId of eventIds) expect(await recoveries(kit, eventId)).toHaveLength(5);
});

test('skipped, test and old events, and events behind a delivered one, are not recovered', async () => {
  const { endpoint, kit, shop, switched, receives, missed } = await autoRecovering();
  await missed();
  await kit.clock.jump(36 * 86_400_000);
  const payment = await kit.payment(shop);
  await missed(payment);
  await failed(kit, (await sendTestEvent({ ...kit.deps }, shop.id)).deliveryId);
  endpoint.fails = false;
  const newer = await kit.announce(shop, payment, 'payment.failed');
  await kit.reaches(newer.deliveryId, 'delivered');
  await kit.set(shop, { webhook_enabled: 0 });
  const skipped = await kit.announce(shop, await kit.payment(shop));
  await kit.reaches(skipped.deliveryId, 'skipped');
  await kit.set(shop, { webhook_enabled: 1 });
  await switched(1);
  endpoint.fails = true;
  const lost = await missed();
  endpoint.fails = false;
  await receives(lost.eventId, 5);
  await kit.clock.advance(FIRST_MS);
  const all = await selectRows(kit.db, 'deliveries');
  const recovered = all.filter(({ recovery_id }) => recovery_id !== null);
  expect(recovered.map(({ event_id }) => event_id)).toEqual([lost.eventId]);
});

test('an event is recovered although its resend was skipped while the webhook was off', async () => {
  const { endpoint, receiver, kit, dispatcher, shop, switched, receives, missed, delivered } =
    await autoRecovering();
  await switched(1);
  await reaches(kit, shop, 'idle');
  const { deliveryId, eventId } = await missed();
  // Nothing is claimed, as while the endpoint has no free slot.
  await dispatcher.stop();
  const { deliveryId: again } = await resendDelivery(kit.deps, deliveryId);
  const { finished_at } = await kit.delivery(deliveryId);
  await kit.clock.advanceUntil(
    500,
    async () => {
      const [state] = await selectRows(kit.db, 'auto_recoveries', { merchant_id: shop.id });
      return (state?.after_at ?? 0) >= (finished_at ?? 0);
    },
    'the position to pass the missed event',
  );
  await kit.set(shop, { webhook_enabled: 0 });
  kit.start({ ca: receiver.ca });
  await kit.reaches(again, 'skipped');
  endpoint.fails = false;
  await kit.set(shop, { webhook_enabled: 1 });
  await reaches(kit, shop, 'waiting');
  await delivered();
  await receives(eventId, 5);
});
