import { expect, test } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { queueState } from '../../src/webhooks/delivery/due-store.ts';
import type { RecoveryView } from '../../src/webhooks/recovery/list.ts';
import { listRecoveries } from '../../src/webhooks/recovery/list.ts';
import { recoverEvents } from '../../src/webhooks/recovery/recover-events.ts';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import { sendTestEvent } from '../../src/webhooks/test-event.ts';
import { selectRows } from '../support/rows.ts';
import type { Received } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { delivering, fourAttempts, type Kit, type Shop } from './kit.ts';

const eventOf = (request: Received) => request.headers['webhook-id'];

/** Runs a recovery to its end; `pages` holds the total after each page. */
async function recover(
  kit: Kit,
  shop: Shop,
  options: { since?: number; latest?: boolean } = {},
): Promise<RecoveryView & { pages: number[] }> {
  const { since = 0, latest = false } = options;
  const run = recoverEvents(kit.deps, { merchantId: shop.id, since, latest });
  const pages: number[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done) return { ...step.value, pages };
    pages.push(step.value);
  }
}

const finished = (kit: Kit, ids: readonly Id<'dlv'>[]) =>
  until(async () => {
    const rows = await kit.db.read.selectFrom('deliveries').select('state').where('id', 'in', ids).execute();
    return rows.every(({ state }) => state !== 'due');
  }, 'the deliveries to end');

/** So many events of a shop whose webhook is off: all skipped. */
async function skipped(kit: Kit, shop: Shop, count: number): Promise<Id<'evt'>[]> {
  await kit.set(shop, { webhook_enabled: 0 });
  const payments = await Promise.all(Array.from({ length: count }, () => kit.payment(shop)));
  const made = await Promise.all(payments.map((payment) => kit.announce(shop, payment)));
  for (let i = 0; i < made.length; i += 500) {
    await finished(
      kit,
      made.slice(i, i + 500).map(({ deliveryId }) => deliveryId),
    );
  }
  await kit.set(shop, { webhook_enabled: 1 });
  return made.map(({ eventId }) => eventId);
}

test('a fresh event overtakes a thousand recovered ones, which hold at most eight slots', async () => {
  const waiting: (() => void)[] = [];
  let open = false;
  let fresh = '';
  const { kit, shop } = await delivering((request, response) => {
    if (open || eventOf(request) === fresh) response.end();
    else waiting.push(() => response.end());
  });
  await skipped(kit, shop, 1000);
  const run = await recover(kit, shop);
  expect(run).toMatchObject({ queued: 1000, complete: true });
  expect(run.pages).toEqual([200, 400, 600, 800, 1000, 1000]);
  await until(() => waiting.length >= 5);
  // The recovery holds what it may hold, and everything behind it hangs: a fresh event goes past it all.
  const inFlight = waiting.length;
  const payment = await kit.payment(shop);
  for (let i = 0; i < 3; i++) {
    const made = await kit.announce(shop, payment, 'payment.failed');
    fresh = made.eventId;
    await until(async () => (await kit.delivery(made.deliveryId)).state === 'delivered', 'the fresh event');
  }
  expect(inFlight).toBeLessThanOrEqual(8);
  expect(waiting.length).toBeLessThanOrEqual(8);
  // Recovered events do not count as a backlog of fresh ones.
  expect((await queueState(kit.db.read, kit.clock.now())).due).toBe(0);
  open = true;
  for (const answer of waiting) answer();
  await until(async () => ((await listRecoveries(kit.deps, shop.id))[0]?.delivered ?? 0) >= 50, 'the drain');
});

test('undelivered and skipped events are recovered once each; delivered, due and earlier ones are not', async () => {
  let fails = true;
  const { receiver, kit, shop } = await delivering((_request, response) => {
    response.writeHead(fails ? 500 : 200).end();
  });
  const early = await skipped(kit, shop, 2);
  await kit.clock.advance(1000);
  const since = kit.clock.now();
  const payment = await kit.payment(shop);
  const undelivered = await kit.announce(shop, payment, 'payment.failed');
  await fourAttempts(kit, undelivered.deliveryId);
  const late = await skipped(kit, shop, 1);
  const other = await kit.shop(receiver.url);
  const [ofOther] = await skipped(kit, other, 1);
  fails = false;
  // Unlike automatic recovery, an operator also recovers the events before it.
  const delivered = await kit.announce(shop, payment);
  await finished(kit, [delivered.deliveryId]);
  // Undelivered twice, then delivered by a resend: no longer missed.
  const [resent] = await skipped(kit, shop, 1);
  const [row] = await selectRows(kit.db, 'deliveries', { event_id: resent });
  const again = await resendDelivery(kit.deps, row?.id ?? 'dlv_');
  await finished(kit, [again.deliveryId]);

  const before = receiver.requests.length;
  const run = await recover(kit, shop, { since });
  expect(run.queued).toBe(2);
  await until(async () => (await listRecoveries(kit.deps, shop.id))[0]?.delivered === 2);
  expect(receiver.requests.slice(before).map(eventOf).toSorted()).toEqual(
    [undelivered.eventId, ...late].toSorted(),
  );
  expect((await recover(kit, shop, { since })).queued).toBe(0);
  expect((await recover(kit, shop)).queued).toBe(2);
  await until(async () => (await listRecoveries(kit.deps, shop.id))[0]?.delivered === 2);
  expect(receiver.requests.slice(-2).map(eventOf).toSorted()).toEqual(early.toSorted());
  expect(await selectRows(kit.db, 'deliveries', { event_id: ofOther })).toHaveLength(1);
  expect(await listRecoveries(kit.deps, other.id)).toEqual([]);
});

test('a delivery that ended last is recovered although it began first', async () => {
  const { kit, shop } = await delivering((_request, response) => void response.writeHead(500).end());
  const first = await kit.announce(shop, await kit.payment(shop));
  await until(async () => (await kit.attempts(first.deliveryId))[0]?.duration_ms === 0);
  await skipped(kit, shop, 1);
  await fourAttempts(kit, first.deliveryId);
  await finished(kit, [first.deliveryId]);
  expect((await recover(kit, shop)).queued).toBe(2);
});

test('a repeated or interrupted recovery queues no event twice', async () => {
  const { kit, dispatcher, shop } = await delivering();
  await skipped(kit, shop, 250);
  await dispatcher.stop();
  const interrupted = recoverEvents(kit.deps, { merchantId: shop.id, since: 0, latest: false });
  expect((await interrupted.next()).value).toBe(200);
  await interrupted.return(undefined as never);
  expect(await recover(kit, shop)).toMatchObject({ queued: 50, due: 50 });
  expect((await recover(kit, shop)).queued).toBe(0);
  expect(await listRecoveries(kit.deps, shop.id)).toMatchObject([
    { queued: 0, complete: true },
    { queued: 50, complete: true },
    { queued: 200, complete: false },
  ]);
  const queued = await selectRows(kit.db, 'deliveries', { state: 'due' });
  expect(queued).toHaveLength(250);
  expect(new Set(queued.map(({ event_id }) => event_id)).size).toBe(250);
});

test('a recovery does not repeat its own failures; the next run does', async () => {
  const { receiver, kit, shop } = await delivering();
  await skipped(kit, shop, 210);
  const run = recoverEvents(kit.deps, { merchantId: shop.id, since: 0, latest: false });
  expect((await run.next()).value).toBe(200);
  await kit.set(shop, { webhook_enabled: 0 });
  await until(
    async () => (await listRecoveries(kit.deps, shop.id))[0]?.due === 0,
    'the first page to be skipped',
  );
  expect((await run.next()).value).toBe(210);
  expect((await run.next()).done).toBe(true);
  await until(async () => (await listRecoveries(kit.deps, shop.id))[0]?.due === 0);
  // The endpoint accepted those that were claimed before the webhook was turned off.
  const delivered = receiver.requests.length;
  await kit.set(shop, { webhook_enabled: 1 });
  const next = await recover(kit, shop);
  expect(next.queued).toBe(210 - delivered);
  await until(() => receiver.requests.length >= delivered + 10);
});

test('with --latest only the latest event of each transaction is recovered, and no test event', async () => {
  const { kit, shop } = await delivering((_request, response) => {
    response.writeHead(500).end();
  });
  const [both, first] = [await kit.payment(shop), await kit.payment(shop)];
  await kit.set(shop, { webhook_enabled: 0 });
  await kit.announce(shop, both, 'payment.cancelled');
  const success = await kit.announce(shop, both);
  const alone = await kit.announce(shop, first, 'payment.failed');
  const { deliveryId } = await sendTestEvent(kit.deps, shop.id);
  await finished(kit, [success.deliveryId, alone.deliveryId]);
  const finished_at = kit.clock.now();
  await kit.setDelivery(deliveryId, { state: 'undelivered', finished_at, next_attempt_at: null });
  await kit.set(shop, { webhook_enabled: 1 });
  expect((await recover(kit, shop, { latest: true })).queued).toBe(2);
  const all = await selectRows(kit.db, 'deliveries');
  const queued = all.filter(({ recovery_id }) => recovery_id !== null);
  expect(queued.map(({ event_id }) => event_id).sort()).toEqual([success.eventId, alone.eventId]);
  expect((await recover(kit, shop)).queued).toBe(2);
});

test('recovered events of one transaction arrive in order; a failing one gets four attempts, then the next is sent', async () => {
  const { receiver, kit, shop } = await delivering((request, response) => {
    response.writeHead(request.headers['x-service-event'] === 'payment.success' ? 200 : 500).end();
  });
  const payment = await kit.payment(shop);
  await kit.set(shop, { webhook_enabled: 0 });
  const cancelled = await kit.announce(shop, payment, 'payment.cancelled');
  const success = await kit.announce(shop, payment);
  await finished(kit, [cancelled.deliveryId, success.deliveryId]);
  await kit.set(shop, { webhook_enabled: 1 });
  expect((await recover(kit, shop)).queued).toBe(2);
  for (const [index, waitMs] of [0, 200, 1000, 5000].entries()) {
    await kit.clock.advance(waitMs);
    await until(() => receiver.requests.length >= index + 1, `attempt ${index + 1}`);
    const claimed = kit.db.read.selectFrom('deliveries').select('id').where('claim_token', 'is not', null);
    await until(async () => (await claimed.execute()).length === 0);
  }
  await until(() => receiver.requests.length === 5);
  expect(receiver.requests.map(({ headers }) => headers['x-service-event'])).toEqual([
    ...Array.from({ length: 4 }, () => 'payment.cancelled'),
    'payment.success',
  ]);
  await until(async () => (await listRecoveries(kit.deps, shop.id))[0]?.due === 0);
  expect((await listRecoveries(kit.deps, shop.id))[0]).toMatchObject({
    queued: 2,
    undelivered: 1,
    delivered: 1,
  });
});

test('an earlier event waits for a later one of its transaction that another recovery sends', async () => {
  const answers: (() => void)[] = [];
  const { receiver, kit, shop } = await delivering((request, response) => {
    if (request.headers['x-service-event'] === 'payment.success') answers.push(() => response.end());
    else response.end();
  });
  const payment = await kit.payment(shop);
  await kit.set(shop, { webhook_enabled: 0 });
  const cancelled = await kit.announce(shop, payment, 'payment.cancelled');
  const success = await kit.announce(shop, payment);
  await finished(kit, [cancelled.deliveryId, success.deliveryId]);
  await kit.set(shop, { webhook_enabled: 1 });
  await recover(kit, shop, { latest: true });
  await until(() => answers.length === 1, 'the latest event, which is not answered');
  expect((await recover(kit, shop)).queued).toBe(1);
  const recovered = async () =>
    (await selectRows(kit.db, 'deliveries', { event_id: cancelled.eventId })).find(
      ({ state }) => state === 'due',
    );
  expect(await recovered()).toMatchObject({ blocked: 3, attempts_count: 0 });
  const fresh = await kit.announce(shop, payment, 'payment.failed');
  await kit.reaches(fresh.deliveryId, 'delivered');
  expect(await recovered(), 'after the fresh event').toMatchObject({ blocked: 3, attempts_count: 0 });
  answers[0]?.();
  await until(() => receiver.requests.length === 3);
  expect(receiver.requests.map(eventOf)).toEqual([success.eventId, fresh.eventId, cancelled.eventId]);
});

test('a fresh event does not wait for a recovered one of its transaction', async () => {
  const { receiver, kit, shop } = await delivering((request, response) => {
    if (request.headers['x-service-event'] === 'payment.success') response.end();
  });
  const payment = await kit.payment(shop);
  await kit.set(shop, { webhook_enabled: 0 });
  const { deliveryId } = await kit.announce(shop, payment, 'payment.cancelled');
  await finished(kit, [deliveryId]);
  await kit.set(shop, { webhook_enabled: 1 });
  await recover(kit, shop);
  await until(() => receiver.requests.length === 1, 'the recovered event, which is not answered');
  const fresh = await kit.announce(shop, payment);
  await finished(kit, [fresh.deliveryId]);
  expect(await kit.delivery(fresh.deliveryId)).toMatchObject({ state: 'delivered' });
});

test('a recovery continues at once after a crash and restart', async () => {
  const { receiver, kit, dispatcher, shop } = await delivering((_request, response, count) => {
    if (count > 1) response.end();
  });
  await skipped(kit, shop, 1);
  await recover(kit, shop);
  await until(() => receiver.requests.length === 1);
  await dispatcher.stop();
  kit.start({ ca: receiver.ca });
  await until(async () => (await listRecoveries(kit.deps, shop.id))[0]?.delivered === 1);
});
