import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { Picker } from '../../src/webhooks/delivery/pick.ts';
import { Slots } from '../../src/webhooks/delivery/slots.ts';
import { temporaryFolder } from '../support/database.ts';
import { explainOn } from '../support/explained.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { type Kit, type Shop, webhookKit } from './kit.ts';

const LIMITS = { inFlightMax: 1024, perMerchantMax: 32 };
const HANGING = 50;
const PROMPT_MS = 4000;
/** Of all merchants together whose last attempt hung. */
const SLOW_SLOTS = 8;

async function announceMany(kit: Kit, shop: Shop, count: number): Promise<Id<'dlv'>[]> {
  const payments = await Promise.all(Array.from({ length: count }, () => kit.payment(shop)));
  const made = await Promise.all(payments.map((payment) => kit.announce(shop, payment)));
  return made.map(({ deliveryId }) => deliveryId);
}

test('fifty endpoints that hang hold few slots between them, and none of a healthy merchant, from the first moment on', async () => {
  const silence = await startReceiver(() => {});
  const receiver = await startReceiver();
  const kit = await webhookKit();
  for (let i = 0; i < HANGING; i++) await announceMany(kit, await kit.shop(silence.url), 4);
  kit.start({ ca: receiver.ca });
  await until(() => silence.requests.length >= HANGING, 'every endpoint to hang');
  const shop = await kit.shop(receiver.url);
  // The clock stands still: nothing here can have waited for an attempt that hangs.
  for (let round = 0; round < 5; round++) {
    const ids = await announceMany(kit, shop, 20);
    for (const id of ids) await until(async () => (await kit.delivery(id)).state === 'delivered');
  }
  expect(receiver.requests).toHaveLength(100);
  expect(silence.requests.length).toBeLessThanOrEqual(3 * HANGING);
  // A whole wave of them times out; from then on they take turns in a few slots, and what is fresh goes on.
  const firstWave = silence.requests.length;
  await kit.clock.advance(8000);
  // Given back one after the other, and begun again one after the other.
  await kit.clock.advance(1000);
  await until(() => silence.requests.length >= firstWave + SLOW_SLOTS, 'as many to hang again as may');
  for (const id of await announceMany(kit, shop, 20)) {
    await until(async () => (await kit.delivery(id)).state === 'delivered');
  }
  expect(silence.requests).toHaveLength(firstWave + SLOW_SLOTS);
});

test('nor is anybody left out when more of them wait than one look at the queues goes past', async () => {
  const kit = await webhookKit();
  const slots = new Slots(LIMITS);
  const picker = new Picker(kit.deps.db.read, slots, 'fresh');
  const shopOf = new Map<Id<'dlv'>, Id<'mer'>>();
  for (let i = 0; i < 264; i++) {
    const shop = await kit.shop('https://shop.example/hook');
    const [delivery] = await announceMany(kit, shop, 1);
    if (delivery !== undefined) shopOf.set(delivery, shop.id);
    slots.heard(shop.id, 8000, false);
  }
  const served: Id<'mer'>[] = [];
  while (served.length < 2 * shopOf.size) {
    const taken: Id<'dlv'>[] = [];
    for (let more = true; more; ) {
      const picked = await picker.pick(kit.clock.now());
      taken.push(...picked.ids);
      more = picked.more;
    }
    expect(taken).toHaveLength(SLOW_SLOTS);
    for (const id of taken) slots.give(id);
    served.push(...taken.flatMap((id) => shopOf.get(id) ?? []));
  }
  expect(new Set(served).size).toBe(264);
});

test.for([20, 300])('a queue of %i of one that hangs leaves a slot to the next that hung', async (length) => {
  const kit = await webhookKit();
  const slots = new Slots(LIMITS);
  const picker = new Picker(kit.deps.db.read, slots, 'fresh');
  const greedy = await kit.shop('https://shop.example/hook');
  await announceMany(kit, greedy, length);
  const next = await kit.shop('https://shop.example/hook');
  const [wanted] = await announceMany(kit, next, 1);
  for (const { id } of [greedy, next]) slots.heard(id, 8000, false);
  const { ids, left } = await picker.pick(kit.clock.now());
  expect(ids).toHaveLength(SLOW_SLOTS);
  expect(new Set(ids).size).toBe(SLOW_SLOTS);
  expect(ids).toContain(wanted);
  expect(left).toEqual(new Set([greedy.id]));
});

test('a look at the queues that breaks off gives back every slot that it had taken', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const db = await openDatabase(`sqlite:${file}`);
  const kit = await webhookKit({ db });
  for (let i = 0; i < 2; i++) await announceMany(kit, await kit.shop('https://shop.example/hook'), 130);
  const handle = new Sqlite(file);
  let answers = 0;
  const read = explainOn(handle).db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      answers++;
      // The head of the queue, who is in it, the first one's; the second one's does not come.
      if (answers === 4) throw new Error('the connection is gone');
      return result;
    },
  });
  const slots = new Slots(LIMITS);
  const picker = new Picker(read, slots, 'fresh');
  await expect(picker.pick(kit.clock.now())).rejects.toThrow('the connection is gone');
  expect(slots.free).toBe(LIMITS.inFlightMax);
  const picked: Id<'dlv'>[] = [];
  for (let more = true; more; ) {
    const { ids, more: again } = await picker.pick(kit.clock.now());
    picked.push(...ids);
    more = again;
  }
  expect(picked).toHaveLength(48);
  handle.close();
  await db.close();
});

test('what hung together is given back one after the other, and at once when the service stops', async () => {
  const silence = await startReceiver(() => {});
  const kit = await webhookKit();
  const ids: Id<'dlv'>[] = [];
  for (let i = 0; i < 20; i++) ids.push(...(await announceMany(kit, await kit.shop(silence.url), 1)));
  const dispatcher = kit.start({ ca: silence.ca });
  await until(() => silence.requests.length === ids.length, 'every endpoint to hang');
  const durations = async () =>
    (await Promise.all(ids.map((id) => kit.attempts(id))))
      .flat()
      .flatMap(({ duration_ms }) => duration_ms ?? []);
  await kit.clock.advance(8000);
  expect(await durations()).toEqual([8000]);
  await kit.clock.advance(20);
  expect(await durations()).toHaveLength(6);
  await dispatcher.stop();
  expect(await durations()).toEqual(ids.map(() => 8000));
});

test('one that answers after all has its next deliveries at once, however many hang', async () => {
  const silence = await startReceiver(() => {});
  const unanswered: (() => void)[] = [];
  let answers = false;
  const late = await startReceiver((_request, response) => {
    if (answers) response.end();
    else unanswered.push(() => response.end());
  });
  const kit = await webhookKit();
  for (let i = 0; i < HANGING; i++) await announceMany(kit, await kit.shop(silence.url), 4);
  const shop = await kit.shop(late.url);
  const ids = await announceMany(kit, shop, 4);
  kit.start({ ca: silence.ca });
  await until(() => late.requests.length > 0 && silence.requests.length >= HANGING, 'all to hang');
  await kit.clock.advance(PROMPT_MS + 1000);
  // The clock stands still from here: whatever goes on does so because the answer came.
  answers = true;
  for (const answer of unanswered) answer();
  for (const id of ids) await until(async () => (await kit.delivery(id)).state === 'delivered');
});
