import { expect, test } from 'vitest';
import { bringForward } from '../../src/webhooks/delivery/due-store.ts';
import { engine } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { holdTransaction, isAnyWaiting } from '../support/lock-waits.ts';
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
  const { receiver, kit, dispatcher, shop } = await delivering((request, response) => {
    if (request.headers['x-service-event'] === 'payment.success') response.end();
  });
  const payment = await kit.payment(shop);
  const { deliveryId } = await kit.announce(shop, payment, 'payment.cancelled');
  const next = await kit.announce(shop, payment, 'payment.success');
  let dying = dispatcher;
  for (let death = 1; death <= 5; death++) {
    await until(() => receiver.requests.length === death);
    await dying.stop();
    dying = kit.start({ ca: receiver.ca });
  }
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

test('a clock that is set back during a wait does not shorten it', async () => {
  const { receiver, kit, shop } = await delivering((_request, response) => {
    response.writeHead(500).end();
  });
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  for (const [number, waitMs] of [0, 200, 1000].entries()) {
    await kit.clock.advance(waitMs);
    await until(async () => (await kit.attempts(deliveryId))[number]?.duration_ms === 0);
  }
  await until(async () => (await kit.delivery(deliveryId)).claim_token === null);
  await kit.clock.jump(-11_000);
  await kit.clock.advance(4999);
  expect(receiver.requests).toHaveLength(3);
  await kit.clock.advance(15_001);
  await kit.reaches(deliveryId, 'undelivered');
});

test.runIf(engine === 'postgres')(
  'a process whose clock is behind corrects it instead of shortening the waits of others',
  async () => {
    const { receiver, kit, shop } = await delivering((_request, response) => {
      response.writeHead(500).end();
    });
    const others = fakeClock(kit.clock.now());
    let behindMs = 5 * 60_000;
    const now = () => others.now() - behindMs;
    const correct = async () => {
      behindMs = 0;
    };
    const other = await webhookKit({ db: kit.db, clock: { ...others, now, correct } });
    other.start({ ca: receiver.ca });
    const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
    for (const [number, waitMs] of [0, 200, 1000].entries()) {
      await kit.clock.advance(waitMs);
      await until(async () => (await kit.attempts(deliveryId))[number]?.duration_ms === 0);
    }
    await until(async () => (await kit.delivery(deliveryId)).claim_token === null);
    const { next_attempt_at } = await kit.delivery(deliveryId);
    await others.advance(5000);
    expect(behindMs).toBe(0);
    expect(await kit.delivery(deliveryId)).toMatchObject({ next_attempt_at });
  },
);

test.runIf(engine === 'postgres')(
  'a delivery that another process claims first is not brought forward',
  async () => {
    const kit = await webhookKit();
    const shop = await kit.shop(null);
    const now = kit.clock.now();
    const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
    const claim = { claim_token: 'theirs', next_attempt_at: now + 20_000 };
    await kit.setDelivery(deliveryId, { retry_at: now + 60_000, next_attempt_at: now + 60_000 });
    const commit = await holdTransaction(kit.db, (tx) =>
      tx.updateTable('deliveries').set(claim).where('id', '=', deliveryId).execute(),
    );
    const forward = kit.db.unit((tx) => bringForward(tx, 'fresh', { at: now + 10_000, now }));
    await until(() => isAnyWaiting(kit.db));
    await Promise.all([commit(), forward]);
    expect(await kit.delivery(deliveryId)).toMatchObject(claim);
  },
);
