import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { NextLook } from '../../src/webhooks/outbox/next-look.ts';
import { Pacer } from '../../src/webhooks/outbox/pacer.ts';
import { Picker } from '../../src/webhooks/outbox/pick.ts';
import { Slots } from '../../src/webhooks/outbox/slots.ts';
import { WaitingRoom } from '../../src/webhooks/outbox/waiting-room.ts';
import { temporaryFolder } from '../support/database.ts';
import { explainOn } from '../support/explained.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { type Kit, type Shop, webhookKit } from './kit.ts';

const LIMITS = { inFlightMax: 1024, perMerchantMax: 32 };
const HANGING = 50;
const PROMPT_MS = 4000;
/** Of all merchants together whose last attempt hung. */
const SLOW_SLOTS = 8;

const merchant = (n: number): Id<'mer'> => `mer_${n}`;

/** Takes as many slots for a merchant as it may have; gives their deliveries. */
function taken(slots: Slots, merchantId: Id<'mer'>): Id<'dlv'>[] {
  const ids = Array.from({ length: slots.room(merchantId) }, (): Id<'dlv'> => `dlv_${made++}`);
  return ids.filter((id) => slots.take(id, merchantId, 0));
}
let made = 0;

const fill = (slots: Slots, merchantId: Id<'mer'>) => taken(slots, merchantId).length;

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

test('those that hung take turns in a few slots: nobody is left out, however many they are and however long their queues', () => {
  const slots = new Slots(LIMITS);
  const all = Array.from({ length: 100 }, (_, i) => merchant(i));
  for (const id of all) slots.heard(id, 8000, false);
  const served = new Map<Id<'mer'>, number>();
  let held: Id<'dlv'>[] = [];
  for (let round = 0; round < 100; round++) {
    for (const id of held) slots.give(id);
    held = [];
    for (const id of all.toSorted((a, b) => slots.place(a) - slots.place(b))) {
      const own = taken(slots, id);
      held.push(...own);
      if (own.length > 0) served.set(id, (served.get(id) ?? 0) + 1);
    }
    expect(held.length).toBeLessThanOrEqual(SLOW_SLOTS);
  }
  expect(served.size).toBe(100);
  expect(Math.max(...served.values()) - Math.min(...served.values())).toBeLessThanOrEqual(1);
  // One that answers promptly again has all its slots at once, and the others are not held up by it.
  for (const id of held) slots.give(id);
  slots.heard(merchant(7), 20, true);
  expect(fill(slots, merchant(7))).toBe(32);
  expect(fill(slots, merchant(8))).toBe(SLOW_SLOTS);
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

test('one that answers late, but answers, has a slot however many hang', () => {
  const slots = new Slots(LIMITS);
  for (let i = 0; i < 50; i++) {
    slots.heard(merchant(i), 8000, false);
    fill(slots, merchant(i));
  }
  expect(slots.room(merchant(60))).toBeGreaterThan(0);
  slots.heard(merchant(60), 8000, false);
  expect(slots.room(merchant(60))).toBe(0);
  slots.heard(merchant(60), 6000, true);
  expect(slots.room(merchant(60))).toBeGreaterThan(0);
});

test('an attempt that runs for too long says so before its end', () => {
  const slots = new Slots(LIMITS);
  fill(slots, merchant(1));
  slots.notice(PROMPT_MS);
  expect(slots.isSlow(merchant(1))).toBe(false);
  slots.notice(PROMPT_MS + 1);
  expect(slots.isSlow(merchant(1))).toBe(true);
});

test('a merchant alone may have all its slots, proven or not', () => {
  const slots = new Slots(LIMITS);
  expect(fill(slots, merchant(1))).toBe(32);
});

test('merchants that prove to be prompt get many slots, and every one that is new has one', () => {
  const slots = new Slots(LIMITS);
  const unproven = Array.from({ length: HANGING }, (_, i) => fill(slots, merchant(i)));
  expect(Math.min(...unproven)).toBe(1);
  expect(unproven.reduce((sum, count) => sum + count)).toBeLessThan(120);
  slots.heard(merchant(99), 30, true);
  expect(fill(slots, merchant(99))).toBe(32);
  // One that turns slow loses them, and one that answers for the first time has them.
  slots.heard(merchant(99), PROMPT_MS + 1, false);
  expect(slots.room(merchant(99))).toBe(0);
  slots.heard(merchant(49), PROMPT_MS, true);
  expect(fill(slots, merchant(49))).toBe(31);
});

test('whatever happens in whatever order, slots given back are free again', () => {
  const slots = new Slots(LIMITS);
  const ids = Array.from({ length: 20 }, (_, i) => taken(slots, merchant(i))).flat();
  for (let i = 0; i < 20; i++) slots.heard(merchant(i), i % 2 === 0 ? 10 : 8000, i % 2 === 0);
  for (const id of ids) slots.give(id);
  expect(slots.free).toBe(1024);
  expect(fill(slots, merchant(2))).toBe(32);
  expect(fill(slots, merchant(3))).toBe(SLOW_SLOTS);
});

test('what hung the last time begins one after the other, whatever falls due at once and wherever the clock is put', async () => {
  const clock = fakeClock();
  const pacer = new Pacer(clock, 25);
  const startAt = clock.now();
  const begun: number[] = [];
  const turn = async () => {
    await pacer.turn();
    begun.push(clock.now() - startAt);
  };
  const first = [turn(), turn(), turn(), turn()];
  await clock.advance(60);
  expect(begun).toEqual([0, 25, 50]);
  await clock.advance(15);
  await Promise.all(first);
  expect(begun).toEqual([0, 25, 50, 75]);
  // One who comes later than a gap does not wait, nor does one after the clock was set back.
  await clock.advance(1000);
  await turn();
  await clock.jump(-600_000);
  await turn();
  expect(begun.slice(4)).toEqual([1075, 1075 - 600_000]);
  // A stop lets go of those who wait.
  const last = [turn(), turn()];
  pacer.release();
  await Promise.all(last);
  expect(begun).toHaveLength(8);
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

test('a slot given back wakes those who wait for it, and nobody else', () => {
  const slots = new Slots(LIMITS);
  slots.heard(merchant(1), 30, true);
  expect(slots.freesOthers(merchant(1))).toBe(false);
  expect(slots.freesOthers(merchant(2))).toBe(true);
  for (let i = 100; i < 600; i++) {
    slots.heard(merchant(i), 30, true);
    fill(slots, merchant(i));
  }
  expect(slots.freesOthers(merchant(1))).toBe(true);
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

test('nobody is woken for a slot of one that hung as long as all of their kind hold too many', () => {
  const slots = new Slots(LIMITS);
  const room = new WaitingRoom();
  const ids = Array.from({ length: SLOW_SLOTS + 2 }, (_, i): Id<'dlv'> => `dlv_hung${i}`);
  for (const [i, id] of ids.entries()) slots.take(id, merchant(i), 0);
  for (const i of ids.keys()) slots.heard(merchant(i), 8000, false);
  room.look(slots)({ left: new Set([merchant(0), merchant(99)]), whole: true });
  const wakes: boolean[] = [];
  for (const [i, id] of ids.entries()) {
    wakes.push(room.waitsFor(merchant(i)));
    slots.give(id);
  }
  expect(wakes).toEqual([false, false, ...Array(SLOW_SLOTS).fill(true)]);
  // One that has answered promptly since has its many slots back, however many the others hold.
  for (const [i, id] of ids.entries()) slots.take(id, merchant(i + 10), 0);
  for (const i of ids.keys()) slots.heard(merchant(i + 10), 8000, false);
  expect(room.waitsFor(merchant(0))).toBe(false);
  slots.heard(merchant(0), 30, true);
  expect(room.waitsFor(merchant(0))).toBe(true);
});

test('a look asked for by name is for those names, and for everybody once anyone asks without or too many are named', () => {
  const look = new NextLook();
  expect(look.asked).toBe(false);
  look.ask(merchant(1));
  look.ask(merchant(2));
  expect(look.asked).toBe(true);
  expect(look.take()).toEqual(new Set([merchant(1), merchant(2)]));
  expect(look.asked).toBe(false);
  look.ask(merchant(1));
  look.ask();
  look.ask(merchant(2));
  expect(look.take()).toBeNull();
  for (let i = 0; i < 40; i++) look.ask(merchant(i));
  expect(look.take()).toBeNull();
});
