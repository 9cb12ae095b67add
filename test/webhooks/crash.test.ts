import { expect, test } from 'vitest';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { delivering, fourAttempts, webhookKit } from './kit.ts';

test('an attempt that a crash interrupts is counted before it is sent and repeated at once after the restart', async () => {
  const { receiver, kit, dispatcher, shop } = await delivering((_request, response, count) => {
    if (count > 1) response.end();
  });
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await until(() => receiver.requests.length === 1);
  expect(await kit.delivery(deliveryId)).toMatchObject({ attempts_count: 1, state: 'due' });
  await dispatcher.stop();
  // The fake clock stands still: nothing waits for a lease.
  kit.start({ ca: receiver.ca });
  await kit.reaches(deliveryId, 'delivered');
  expect(await kit.attempts(deliveryId)).toMatchObject([
    { number: 1, duration_ms: null, status: null, error: expect.stringContaining('interrupted') },
    { number: 2, status: 200, error: null },
  ]);
});

test('an interrupted attempt does not count as failed: four failures may follow, five requests in all', async () => {
  const { receiver, kit, dispatcher, shop } = await delivering((_request, response, count) => {
    if (count > 1) response.writeHead(500).end();
  });
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await until(() => receiver.requests.length === 1);
  await dispatcher.stop();
  kit.start({ ca: receiver.ca });
  await fourAttempts(kit, deliveryId, 1);
  expect((await kit.delivery(deliveryId)).state).toBe('undelivered');
  await kit.clock.advance(60_000);
  expect(receiver.requests).toHaveLength(5);
});

test('a delivery id is seen at most five times over repeated crashes, then the next event is sent', async () => {
  const receiver = await startReceiver((request, response) => {
    if (request.headers['x-service-event'] === 'payment.success') response.end();
  });
  const kit = await webhookKit();
  const shop = await kit.shop(receiver.url);
  const payment = await kit.payment(shop);
  const { deliveryId } = await kit.announce(shop, payment, 'payment.cancelled');
  const next = await kit.announce(shop, payment, 'payment.success');
  for (let death = 1; death <= 5; death++) {
    const dying = kit.start({ ca: receiver.ca });
    await until(() => receiver.requests.length === death);
    await dying.stop();
  }
  kit.start({ ca: receiver.ca });
  await kit.reaches(next.deliveryId, 'delivered');
  expect(await kit.delivery(deliveryId)).toMatchObject({ state: 'undelivered', attempts_count: 5 });
  expect(receiver.requests).toHaveLength(6);
});

test('a claim of another process that died falls due when its lease ends', async () => {
  const { receiver, kit, shop } = await delivering();
  await kit.clock.advance(500);
  const payment = await kit.payment(shop);
  const other = await webhookKit({ clock: kit.clock, db: kit.db });
  const { deliveryId } = await other.announce(shop, payment);
  const next_attempt_at = kit.clock.now() + 20_000;
  await kit.setDelivery(deliveryId, { claim_token: 'theirs', next_attempt_at, attempts_count: 1 });
  await kit.clock.advance(19_999);
  expect(receiver.requests).toHaveLength(0);
  await kit.clock.advance(1);
  await kit.reaches(deliveryId, 'delivered');
  expect((await kit.delivery(deliveryId)).attempts_count).toBe(2);
});

for (const failed of [0, 1]) {
  test(`attempt ${failed + 1}, interrupted, is repeated at once after a restart whose clock was set back`, async () => {
    const { receiver, kit, dispatcher, shop } = await delivering((_request, response, count) => {
      response.statusCode = count <= failed ? 500 : 200;
      if (count !== failed + 1) response.end();
    });
    const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
    for (let count = 1; count <= failed + 1; count++) {
      await until(() => receiver.requests.length === count);
      await until(async () => (await kit.attempts(deliveryId)).length === count);
      if (count <= failed) await until(async () => (await kit.delivery(deliveryId)).retry_at !== null);
      await kit.clock.advance(300);
    }
    await dispatcher.stop();
    await kit.clock.jump(-15 * 60_000);
    kit.start({ ca: receiver.ca });
    await kit.reaches(deliveryId, 'delivered');
  });
}

test.each(['while the service runs', 'before a restart'])(
  'a retry and the event behind it are sent after the clock was set back %s',
  async (when) => {
    const { receiver, kit, dispatcher, shop } = await delivering((_request, response, count) => {
      response.writeHead(count === 1 ? 500 : 200).end();
    });
    const payment = await kit.payment(shop);
    const first = await kit.announce(shop, payment);
    await until(async () => (await kit.delivery(first.deliveryId)).retry_at !== null);
    const second = await kit.announce(shop, payment, 'payment.failed');
    const isRestarted = when === 'before a restart';
    if (isRestarted) await dispatcher.stop();
    await kit.clock.jump(-60 * 60_000);
    if (isRestarted) kit.start({ ca: receiver.ca });
    for (const { deliveryId } of [first, second]) {
      await kit.clock.advance(10_000);
      await kit.reaches(deliveryId, 'delivered');
    }
  },
);
