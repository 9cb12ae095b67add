import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { noMetrics } from '../../src/deps.ts';
import { releaseUnsent } from '../../src/webhooks/delivery/claim.ts';
import { Dispatcher } from '../../src/webhooks/delivery/dispatcher.ts';
import { queueState } from '../../src/webhooks/delivery/due-store.ts';
import { Sender } from '../../src/webhooks/delivery/sender.ts';
import { keptLog } from '../banks/support.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { insertRows } from '../support/rows.ts';
import { type ReceiverHandler, startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { claim, delivering, numberAll, webhookKit } from './kit.ts';
import { transport } from './transport-kit.ts';

/** A clock whose deadlines never come: the process that uses it is stalled in the middle of an attempt. */
function stalledClock() {
  const clock = fakeClock();
  return { ...clock, timeout: () => () => {} };
}

/** The database with a `unit` that a test can hold up or make fail. */
function troubled(db: Database) {
  const trouble = { before: async () => {}, after: async () => {} };
  const unit: Database['unit'] = async (work) => {
    await trouble.before();
    const value = await db.unit(work);
    await trouble.after();
    return value;
  };
  return { trouble, db: { ...db, unit } };
}

/** A kit, the same database with troubles, and a kit on that. */
async function troubledKit() {
  const shared = await webhookKit();
  const { db, trouble } = troubled(shared.db);
  return { shared, db, trouble, kit: await webhookKit({ clock: shared.clock, db }) };
}

test('an attempt that outlives its lease keeps its claim, and no other process sends the delivery', async () => {
  let answer = () => {};
  const receiver = await startReceiver((_request, response) => {
    answer = () => response.end('ok');
  });
  const kit = await webhookKit({ clock: stalledClock() });
  const shop = await kit.shop(receiver.url);
  const payment = await kit.payment(shop);
  // The other process polls every half second and is never woken.
  const other = await webhookKit({ clock: kit.clock, db: kit.db });
  other.start({ ca: receiver.ca });
  kit.start({ ca: receiver.ca });
  await kit.clock.advance(100);
  const { deliveryId } = await kit.announce(shop, payment);
  await until(() => receiver.requests.length === 1);
  const { claim_token } = await kit.delivery(deliveryId);
  for (let seconds = 0; seconds < 60; seconds += 3) {
    await kit.clock.advance(3000);
    const row = await kit.delivery(deliveryId);
    expect(Number(row.next_attempt_at) - kit.clock.now()).toBeGreaterThan(5000);
    expect(row).toMatchObject({ claim_token, attempts_count: 1 });
  }
  answer();
  await kit.reaches(deliveryId, 'delivered');
  expect(receiver.requests).toHaveLength(1);
});

test.each([200, 500])(
  'an attempt answered with %i whose claim another process holds records its outcome and does not change the delivery',
  async (status) => {
    let answer = () => {};
    const handler: ReceiverHandler = (_request, response) => {
      answer = () => response.writeHead(status).end('ok');
    };
    const { receiver, kit, shop } = await delivering(handler, { clock: stalledClock() });
    const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
    await until(() => receiver.requests.length === 1);
    await kit.setDelivery(deliveryId, { claim_token: 'theirs' });
    const stolen = await kit.delivery(deliveryId);
    await kit.clock.advance(15_000);
    answer();
    await until(async () => (await kit.attempts(deliveryId))[0]?.status === status);
    expect(await kit.delivery(deliveryId)).toEqual({ ...stolen, state: 'due', claim_token: 'theirs' });
  },
);

test('a failed attempt leaves the claim of a delivery that was claimed together with its own', async () => {
  const answers: ((status: number) => void)[] = [];
  const receiver = await startReceiver((_request, response) => {
    answers.push((status) => response.writeHead(status).end());
  });
  const kit = await webhookKit();
  const shop = await kit.shop(receiver.url);
  const made = [await kit.announce(shop, await kit.payment(shop))];
  made.push(await kit.announce(shop, await kit.payment(shop)));
  kit.start({ ca: receiver.ca });
  await until(() => receiver.requests.length === 2);
  const of = (request: number) => {
    const eventId = receiver.requests[request]?.headers['webhook-id'];
    return made.find((each) => each.eventId === eventId)?.deliveryId ?? 'dlv_';
  };
  const { claim_token } = await kit.delivery(of(1));
  expect((await kit.delivery(of(0))).claim_token).toBe(claim_token);
  answers[0]?.(500);
  await until(async () => (await kit.delivery(of(0))).claim_token === null);
  expect(await kit.delivery(of(1))).toMatchObject({ claim_token });
  answers[1]?.(200);
  await kit.reaches(of(1), 'delivered');
  expect(receiver.requests).toHaveLength(2);
});

test('a process that stalled after its claim sends nothing once another process has the delivery', async () => {
  const receiver = await startReceiver();
  const { shared: kit, trouble, kit: stalled } = await troubledKit();
  const shop = await kit.shop(receiver.url);
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await numberAll(kit);
  const { promise, resolve } = Promise.withResolvers<void>();
  trouble.after = () => promise;
  const claimed = claim(stalled, shop, deliveryId);
  await until(async () => (await kit.delivery(deliveryId)).attempts_count === 1);
  await kit.clock.advance(20_000);
  kit.start({ ca: receiver.ca });
  await kit.reaches(deliveryId, 'delivered');
  resolve();
  const attempt = await claimed;
  const sender = new Sender(stalled.deps, transport({ ca: receiver.ca }));
  onTestFinished(() => sender.stop(0));
  expect(await sender.send(attempt)).toBeNull();
  // Nor when its clock was set back during the stall.
  await kit.clock.jump(-3_600_000);
  expect(await sender.send(attempt)).toBeNull();
  expect(receiver.requests).toHaveLength(1);
});

test.each([13, -3600])(
  'a stall of %i s by the clock between claim and request uses up no attempt',
  async (seconds) => {
    const receiver = await startReceiver();
    const shared = await webhookKit();
    const { db, trouble } = troubled(shared.db);
    let offset = 0;
    const kit = await webhookKit({ clock: { ...shared.clock, now: () => shared.clock.now() + offset }, db });
    const shop = await kit.shop(receiver.url);
    const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
    let stalls = 6;
    trouble.after = async () => {
      const { claim_token } = await kit.delivery(deliveryId);
      if (claim_token !== null && stalls-- > 0) offset += seconds * 1000;
    };
    kit.start({ ca: receiver.ca });
    await shared.clock.advanceUntil(1000, async () => (await kit.delivery(deliveryId)).state === 'delivered');
    expect(receiver.requests).toHaveLength(1);
    expect(await kit.attempts(deliveryId)).toMatchObject([{ number: 1, status: 200 }]);
  },
);

test('a claim that another process holds by now is not released', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.receiver.test/');
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  const attempt = await claim(kit, shop, deliveryId);
  await kit.setDelivery(deliveryId, { claim_token: 'theirs' });
  const stolen = await kit.delivery(deliveryId);
  await releaseUnsent(kit.deps, attempt);
  expect(await kit.delivery(deliveryId)).toEqual(stolen);
  expect(await kit.attempts(deliveryId)).toHaveLength(1);
  // One that is still held is released with its attempt, but not with those before it.
  const before = { delivery_id: deliveryId, merchant_id: shop.id, number: 0, started_at: 0 };
  await insertRows(kit.db, 'delivery_attempts', before);
  await kit.setDelivery(deliveryId, { claim_token: attempt.token });
  await releaseUnsent(kit.deps, attempt);
  expect(await kit.attempts(deliveryId)).toMatchObject([{ number: 0 }]);
});

test('an outcome that the database refuses is written later, and the delivery is not sent again', async () => {
  const receiver = await startReceiver();
  const { shared, trouble, kit } = await troubledKit();
  kit.start({ ca: receiver.ca });
  const shop = await shared.shop(receiver.url);
  const payment = await shared.payment(shop);
  let units = 0;
  trouble.before = async () => {
    // The claim goes through; what follows meets a full disk.
    if (receiver.requests.length > 0) {
      units++;
      throw new Error('disk full');
    }
  };
  const { deliveryId } = await shared.announce(shop, payment);
  await kit.clock.advance(5000);
  await until(() => units > 0);
  await kit.clock.advance(60_000);
  expect((await kit.delivery(deliveryId)).state).toBe('due');
  trouble.before = async () => {};
  await kit.clock.advance(5000);
  await kit.reaches(deliveryId, 'delivered');
  expect(receiver.requests).toHaveLength(1);
  expect(units).toBeGreaterThan(10);
});

test.each(['before', 'after'])(
  'a due delivery that is not claimed sets the metric and logs one line, and one line when it is claimed, stuck %s it was picked',
  async (when) => {
    const receiver = await startReceiver();
    const { shared, db, trouble } = await troubledKit();
    const { log, lines } = keptLog('warn');
    const seconds: number[] = [];
    const metrics = { ...noMetrics, deliveriesUnclaimed: (value: number) => void seconds.push(value) };
    const deps = { ...shared.deps, db, metrics, log };
    // Once it was picked, the delivery itself holds the only slot.
    const dispatcher = new Dispatcher(deps, { ca: receiver.ca, perMerchantMax: 1, stopGraceMs: 0 });
    const shop = await shared.shop(receiver.url);
    if (when === 'after') {
      dispatcher.start();
      await shared.clock.advance(1000);
    }
    const { promise: stuck, resolve: free } = Promise.withResolvers<void>();
    trouble.before = () => stuck;
    const { deliveryId } = await shared.announce(shop, await shared.payment(shop));
    if (when === 'before') dispatcher.start();
    await shared.clock.advance(30_000);
    expect(lines).toEqual([]);
    await shared.clock.advance(60_000);
    expect(lines).toMatchObject([{ level: 50, deliveryId, msg: expect.stringContaining('is not claimed') }]);
    expect(seconds.at(-1)).toBeGreaterThanOrEqual(30);
    trouble.before = async () => {};
    free();
    await shared.reaches(deliveryId, 'delivered');
    await shared.clock.advance(5000);
    expect(lines.map(({ level }) => level)).toEqual([50, 40]);
    expect(lines[1]?.msg).toBe('due deliveries are claimed again');
    expect(seconds.at(-1)).toBe(0);
    await dispatcher.stop();
  },
);

test('the time in which the process was suspended does not count as unclaimed', async () => {
  const { shared, db, trouble } = await troubledKit();
  const { log, lines } = keptLog('warn');
  const dispatcher = new Dispatcher({ ...shared.deps, db, log }, { stopGraceMs: 0 });
  const { promise: stuck, resolve: free } = Promise.withResolvers<void>();
  trouble.before = () => stuck;
  const shop = await shared.shop('https://shop.example/hook');
  await shared.announce(shop, await shared.payment(shop));
  dispatcher.start();
  await shared.clock.advance(20_000);
  await shared.clock.jump(300_000);
  expect(lines).toEqual([]);
  await shared.clock.advance(40_000);
  expect(lines).toMatchObject([{ level: 50, msg: expect.stringContaining('is not claimed') }]);
  free();
  await dispatcher.stop();
});

test('a long backlog that waits for slots does not count as unclaimed', async () => {
  const receiver = await startReceiver(() => {});
  const shared = await webhookKit();
  const seconds: number[] = [];
  const metrics = { ...noMetrics, deliveriesUnclaimed: (value: number) => void seconds.push(value) };
  const dispatcher = new Dispatcher(
    { ...shared.deps, metrics },
    { ca: receiver.ca, perMerchantMax: 2, stopGraceMs: 0 },
  );
  const shop = await shared.shop(receiver.url);
  for (let i = 0; i < 40; i++) await shared.announce(shop, await shared.payment(shop));
  dispatcher.start();
  await until(() => receiver.requests.length === 2);
  for (let second = 0; second < 90; second++) await shared.clock.advance(1000);
  expect(seconds.length).toBeGreaterThan(15);
  expect(Math.max(...seconds)).toBeLessThan(30);
  await dispatcher.stop();
});

test('the age of the queue is that of the delivery planned first, also behind one whose claim has just ended', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop(null);
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await kit.clock.advance(1000);
  await kit.announce(shop, await kit.payment(shop));
  await kit.clock.advance(60_000);
  const now = kit.clock.now();
  await kit.setDelivery(deliveryId, { next_attempt_at: now });
  expect(await queueState(kit.db.read, now)).toEqual({ due: 2, oldestDueAgeMs: 61_000 });
});
