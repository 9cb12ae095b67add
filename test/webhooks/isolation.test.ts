import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { Scheduler } from '../../src/webhooks/delivery/scheduler.ts';
import { Slots } from '../../src/webhooks/delivery/slots.ts';
import { sqliteFile } from '../support/database.ts';
import { explainOn } from '../support/explained.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { announceMany, delivering, webhookKit } from './kit.ts';

const LIMITS = { inFlightMax: 1024, perMerchantMax: 32 };
const HANGING = 50;
const RESPONSIVE_MS = 4000;
/** Slots of all unresponsive merchants together. */
const UNRESPONSIVE_SLOTS = 8;

test('fifty hanging endpoints hold few slots and delay no delivery of a healthy merchant', async () => {
  const hanging = await startReceiver(() => {});
  const receiver = await startReceiver();
  const kit = await webhookKit();
  for (let i = 0; i < HANGING; i++) await announceMany(kit, await kit.shop(hanging.url), 4);
  kit.start({ ca: receiver.ca });
  await until(() => hanging.requests.length >= HANGING, 'every endpoint to hang');
  const shop = await kit.shop(receiver.url);
  // The clock stands still: nothing here can have waited for an attempt that hangs.
  for (let round = 0; round < 5; round++) {
    const ids = await announceMany(kit, shop, 20);
    for (const id of ids) await kit.reaches(id, 'delivered');
  }
  expect(receiver.requests).toHaveLength(100);
  expect(hanging.requests.length).toBeLessThanOrEqual(3 * HANGING);
  // The first wave times out; from then on they take turns in a few slots.
  const firstWave = hanging.requests.length;
  await kit.clock.advance(8000);
  await kit.clock.advance(1000);
  await until(
    () => hanging.requests.length >= firstWave + UNRESPONSIVE_SLOTS,
    'as many to hang again as may',
  );
  for (const id of await announceMany(kit, shop, 20)) {
    await kit.reaches(id, 'delivered');
  }
  expect(hanging.requests).toHaveLength(firstWave + UNRESPONSIVE_SLOTS);
});

test('a prompt endpoint gets more requests at once, and frees slots for others when it hangs', async () => {
  let isPrompt = true;
  const { receiver, kit, shop } = await delivering(({ path }, response) => {
    if (isPrompt || path === '/other') response.end();
  });
  const [first] = await announceMany(kit, shop, 1);
  if (first) await kit.reaches(first, 'delivered');
  isPrompt = false;
  await announceMany(kit, shop, 200);
  const { perMerchantMax } = LIMITS;
  await until(() => receiver.requests.length > 3 * perMerchantMax, 'more requests than for others');
  // Another merchant at the same host does not wait for a connection of this one.
  const [next] = await announceMany(kit, await kit.shop(`${new URL(receiver.url).origin}/other`), 1);
  if (next) await kit.reaches(next, 'delivered');
  expect(receiver.requests).toHaveLength(2 + 3 * perMerchantMax);
});

test('an endpoint that refused one of many requests gets no extra slots for an hour', () => {
  const slots = new Slots(LIMITS);
  const roomAfter = (endedAt: number, error: string | null) => {
    slots.recordHealth('mer_1', { durationMs: 1, endedAt, error });
    return slots.room('mer_1');
  };
  expect(roomAfter(0, null)).toBe(96);
  expect(roomAfter(1, 'refused')).toBe(32);
  expect(roomAfter(3_600_001, null)).toBe(32);
  expect(roomAfter(3_600_002, null)).toBe(96);
});

test('results from before the clock was set back by a day no longer decide about an endpoint', () => {
  const slots = new Slots(LIMITS);
  const ended = (endedAt: number, durationMs: number, error: string | null) =>
    slots.recordHealth('mer_1', { endedAt, durationMs, error });
  ended(DAY_MS, 1, null);
  ended(DAY_MS, 1, 'refused');
  ended(0, 1, null);
  expect(slots.room('mer_1')).toBe(96);
  ended(DAY_MS, 1, null);
  ended(8000, 8000, 'timed out');
  expect(slots.isUnresponsive('mer_1')).toBe(true);
});

test('an attempt in flight shows that an endpoint hangs after the clock was set back by a day', () => {
  const slots = new Slots(LIMITS);
  slots.recordHealth('mer_1', { endedAt: DAY_MS, durationMs: 1, error: null });
  slots.take('dlv_1', 'mer_1', 0);
  slots.markOverdue(5000);
  expect(slots.isUnresponsive('mer_1')).toBe(true);
});

test('forty prompt endpoints that hang at once keep slots free for the next one', () => {
  const slots = new Slots(LIMITS);
  const take = (merchant: number, place: number) =>
    slots.take(`dlv_${merchant}_${place}` as Id<'dlv'>, `mer_${merchant}` as Id<'mer'>, 0);
  for (let merchant = 0; merchant < 40; merchant++) {
    slots.recordHealth(`mer_${merchant}` as Id<'mer'>, { durationMs: 1, endedAt: 0, error: null });
    for (let place = 0; take(merchant, place); place++);
  }
  expect(slots.room('mer_next' as Id<'mer'>)).toBeGreaterThan(0);
});

/** Everything that the scheduler picks for one request. */
async function pickAll(scheduler: Scheduler, now: number): Promise<Id<'dlv'>[]> {
  const picked: Id<'dlv'>[] = [];
  scheduler.request();
  while (scheduler.isRequested) picked.push(...(await scheduler.next(now)).map(({ id }) => id));
  return picked;
}

/** Makes a merchant's endpoint count as unresponsive. */
const hang = ({ slots }: Scheduler, merchantId: Id<'mer'>) =>
  slots.recordHealth(merchantId, { durationMs: 8000, endedAt: 0, error: 'timed out' });

test('every unresponsive merchant gets its turn when there are more of them than one round reads', async () => {
  const kit = await webhookKit();
  const scheduler = new Scheduler(kit.deps.db.read, 'fresh', LIMITS);
  const shopOf = new Map<Id<'dlv'>, Id<'mer'>>();
  for (let i = 0; i < 264; i++) {
    const shop = await kit.shop('https://shop.example/hook');
    const [delivery] = await announceMany(kit, shop, 1);
    if (delivery !== undefined) shopOf.set(delivery, shop.id);
    hang(scheduler, shop.id);
  }
  const served: Id<'mer'>[] = [];
  while (served.length < 2 * shopOf.size) {
    const taken = await pickAll(scheduler, kit.clock.now());
    expect(taken).toHaveLength(UNRESPONSIVE_SLOTS);
    for (const id of taken) scheduler.slots.release(id);
    served.push(...taken.flatMap((id) => shopOf.get(id) ?? []));
  }
  expect(new Set(served).size).toBe(264);
});

test.for([20, 300])(
  'a queue of %i of one unresponsive merchant keeps a slot free for the next one',
  async (length) => {
    const kit = await webhookKit();
    const scheduler = new Scheduler(kit.deps.db.read, 'fresh', LIMITS);
    const greedy = await kit.shop('https://shop.example/hook');
    await announceMany(kit, greedy, length);
    const next = await kit.shop('https://shop.example/hook');
    const [wanted] = await announceMany(kit, next, 1);
    for (const { id } of [greedy, next]) hang(scheduler, id);
    const ids = await pickAll(scheduler, kit.clock.now());
    expect(ids.length).toBeLessThanOrEqual(UNRESPONSIVE_SLOTS);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain(wanted);
  },
);

test('a failed poll releases every slot that it has taken', async () => {
  const { file, db } = await sqliteFile();
  const kit = await webhookKit({ db });
  for (let i = 0; i < 2; i++) await announceMany(kit, await kit.shop('https://shop.example/hook'), 130);
  const handle = new Sqlite(file);
  let answers = 0;
  const read = explainOn(handle).db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      answers++;
      // The head of the queue, the merchants, the first merchant's queue; the second one's fails.
      if (answers === 4) throw new Error('the connection is gone');
      return result;
    },
  });
  const scheduler = new Scheduler(read, 'fresh', LIMITS);
  await expect(pickAll(scheduler, kit.clock.now())).rejects.toThrow('the connection is gone');
  expect(scheduler.slots.free).toBe(LIMITS.inFlightMax);
  expect(await pickAll(scheduler, kit.clock.now())).toHaveLength(48);
  handle.close();
});

test('recovered and other events are polled while one merchant wakes the dispatcher constantly', async () => {
  const { receiver, kit, shop: busy } = await delivering();
  const elsewhere = await webhookKit({ clock: kit.clock, db: kit.db });
  const shop = await elsewhere.shop(receiver.url);
  const { deliveryId: recovered } = await elsewhere.announce(shop, await elsewhere.payment(shop));
  await kit.setDelivery(recovered, { blocked: 2 });
  for (let i = 0; i < 10; i++) {
    const { deliveryId } = await kit.announce(busy, await kit.payment(busy));
    await kit.reaches(deliveryId, 'delivered');
    await kit.clock.advance(100);
  }
  await kit.reaches(recovered, 'delivered');
});

test('a merchant that answers again is delivered to at once while others hang', async () => {
  const hanging = await startReceiver(() => {});
  const unanswered: (() => void)[] = [];
  let answers = false;
  const late = await startReceiver((_request, response) => {
    if (answers) response.end();
    else unanswered.push(() => response.end());
  });
  const kit = await webhookKit();
  for (let i = 0; i < HANGING; i++) await announceMany(kit, await kit.shop(hanging.url), 4);
  const shop = await kit.shop(late.url);
  const ids = await announceMany(kit, shop, 4);
  kit.start({ ca: hanging.ca });
  await until(() => late.requests.length > 0 && hanging.requests.length >= HANGING, 'all to hang');
  await kit.clock.advance(RESPONSIVE_MS + 1000);
  // The clock stands still from here: deliveries continue only because the answer came.
  answers = true;
  for (const answer of unanswered) answer();
  for (const id of ids) await kit.reaches(id, 'delivered');
});

test('transactions whose deliveries hang do not delay others at an endpoint that answers', async () => {
  const stuck = new Set<unknown>();
  const receiver = await startReceiver(({ headers }, response) => {
    if (!stuck.has(headers['x-service-delivery-id'])) response.end();
  });
  const kit = await webhookKit();
  const shop = await kit.shop(receiver.url);
  for (const id of await announceMany(kit, shop, 2 * UNRESPONSIVE_SLOTS)) stuck.add(id);
  kit.start({ ca: receiver.ca });
  await until(() => receiver.requests.length === stuck.size, 'all of them to hang');
  for (const wait of [0, RESPONSIVE_MS + 1000, RESPONSIVE_MS]) {
    await kit.clock.advance(wait);
    // The clock stands still from here.
    for (const id of await announceMany(kit, shop, 4)) await kit.reaches(id, 'delivered');
  }
  expect(receiver.requests.length).toBeGreaterThan(stuck.size + 12);
});
