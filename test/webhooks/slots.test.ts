import { expect, test } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { NextLook } from '../../src/webhooks/delivery/next-look.ts';
import { Pacer } from '../../src/webhooks/delivery/pacer.ts';
import { Slots } from '../../src/webhooks/delivery/slots.ts';
import { WaitingRoom } from '../../src/webhooks/delivery/waiting-room.ts';
import { fakeClock } from '../support/fake-clock.ts';

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

test('what goes in turn goes one after the other, and a setting of the clock holds up nobody', async () => {
  const clock = fakeClock();
  const pacer = new Pacer(clock, 25);
  const startAt = clock.now();
  const gone: number[] = [];
  const turn = async () => {
    await pacer.turn();
    gone.push(clock.now() - startAt);
  };
  const first = [turn(), turn(), turn(), turn()];
  await clock.advance(60);
  expect(gone).toEqual([0, 25, 50]);
  await clock.advance(15);
  await Promise.all(first);
  expect(gone).toEqual([0, 25, 50, 75]);
  // One who comes later than a gap does not wait.
  await clock.advance(1000);
  await turn();
  expect(gone.slice(4)).toEqual([1075]);
  // Those who wait while the clock is set back, and who come after it, go as before.
  const later = [turn(), turn()];
  await clock.jump(-600_000);
  later.push(turn());
  await clock.advance(75);
  await Promise.all(later);
  expect(gone.slice(5)).toEqual([25, 50, 75].map((ms) => 1075 - 600_000 + ms));
  // A stop lets go of those who wait.
  const last = [turn(), turn()];
  pacer.release();
  await Promise.all(last);
  expect(gone).toHaveLength(10);
});

test('the more wait the more go at a time: a hundred take a third of a second, a thousand less than one', async () => {
  for (const [waiting, tookMs] of [
    [10, 36],
    [100, 330],
    [1000, 800],
  ] as const) {
    const clock = fakeClock();
    const pacer = new Pacer(clock, 4);
    const startAt = clock.now();
    let lastAt = startAt;
    const all = Array.from({ length: waiting }, async () => {
      await pacer.turn();
      lastAt = clock.now();
    });
    await clock.advance(2000);
    await Promise.all(all);
    expect(lastAt - startAt).toBeLessThanOrEqual(tookMs);
    expect(lastAt - startAt).toBeGreaterThan(tookMs / 2);
  }
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

test('nobody is woken for a slot of one that hung as long as all of their kind hold too many', () => {
  const slots = new Slots(LIMITS);
  const room = new WaitingRoom();
  expect(room.isEmpty).toBe(true);
  const ids = Array.from({ length: SLOW_SLOTS + 2 }, (_, i): Id<'dlv'> => `dlv_hung${i}`);
  for (const [i, id] of ids.entries()) slots.take(id, merchant(i), 0);
  for (const i of ids.keys()) slots.heard(merchant(i), 8000, false);
  room.look(slots)({ left: new Set([merchant(0), merchant(99)]), whole: true });
  expect(room.isEmpty).toBe(false);
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
  // Of the slots that it holds itself as well, which makes room for others of the kind that it was of: whoever hears it is told.
  expect(slots.heard(merchant(0), 30, true)).toBe(true);
  expect(room.waitsFor(merchant(0))).toBe(true);
  expect(slots.heard(merchant(0), 30, true)).toBe(false);
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
