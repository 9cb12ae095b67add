import { expect, test } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { Slots } from '../../src/webhooks/delivery/slots.ts';

const LIMITS = { inFlightMax: 1024, perMerchantMax: 32 };
const HANGING = 50;
const RESPONSIVE_MAX_MS = 4000;
/** Slots of all unresponsive merchants together. */
const UNRESPONSIVE_SLOTS = 8;

const merchant = (n: number): Id<'mer'> => `mer_${n}`;

/** Takes as many slots for a merchant as it may have; returns their deliveries. */
function taken(slots: Slots, merchantId: Id<'mer'>): Id<'dlv'>[] {
  const ids = Array.from({ length: slots.room(merchantId) }, (): Id<'dlv'> => `dlv_${made++}`);
  return ids.filter((id) => slots.take(id, merchantId, 0));
}
let made = 0;

const fill = (slots: Slots, merchantId: Id<'mer'>) => taken(slots, merchantId).length;

test('unresponsive merchants take turns in a few slots, and each of a hundred gets as many as the others', () => {
  const slots = new Slots(LIMITS);
  const all = Array.from({ length: 100 }, (_, i) => merchant(i));
  for (const id of all) slots.recordHealth(id, 8000, false);
  const served = new Map<Id<'mer'>, number>();
  let held: Id<'dlv'>[] = [];
  for (let round = 0; round < 100; round++) {
    for (const id of held) slots.release(id);
    held = [];
    for (const id of all.toSorted((a, b) => slots.turn(a) - slots.turn(b))) {
      const own = taken(slots, id);
      held.push(...own);
      if (own.length > 0) served.set(id, (served.get(id) ?? 0) + 1);
    }
    expect(held.length).toBeLessThanOrEqual(UNRESPONSIVE_SLOTS);
  }
  expect(served.size).toBe(100);
  expect(Math.max(...served.values()) - Math.min(...served.values())).toBeLessThanOrEqual(1);
  for (const id of held) slots.release(id);
  slots.recordHealth(merchant(7), 20, true);
  expect(fill(slots, merchant(7))).toBe(32);
});

test('a merchant whose endpoint answers late has a slot however many others hang', () => {
  const slots = new Slots(LIMITS);
  for (let i = 0; i < 50; i++) {
    slots.recordHealth(merchant(i), 8000, false);
    fill(slots, merchant(i));
  }
  expect(slots.room(merchant(60))).toBeGreaterThan(0);
  slots.recordHealth(merchant(60), 8000, false);
  expect(slots.room(merchant(60))).toBe(0);
  slots.recordHealth(merchant(60), 6000, true);
  expect(slots.room(merchant(60))).toBeGreaterThan(0);
});

test('an attempt that runs for too long makes its endpoint unresponsive before it ends', () => {
  const slots = new Slots(LIMITS);
  fill(slots, merchant(1));
  slots.markOverdue(RESPONSIVE_MAX_MS);
  expect(slots.isUnresponsive(merchant(1))).toBe(false);
  slots.markOverdue(RESPONSIVE_MAX_MS + 1);
  expect(slots.isUnresponsive(merchant(1))).toBe(true);
});

test('a responsive merchant has many slots, and each of fifty new merchants has at least one', () => {
  const slots = new Slots(LIMITS);
  expect(fill(new Slots(LIMITS), merchant(1))).toBe(32);
  const unknown = Array.from({ length: HANGING }, (_, i) => fill(slots, merchant(i)));
  expect(Math.min(...unknown)).toBe(1);
  expect(unknown.reduce((sum, count) => sum + count)).toBeLessThan(120);
  slots.recordHealth(merchant(99), 30, true);
  expect(fill(slots, merchant(99))).toBe(32);
  slots.recordHealth(merchant(99), RESPONSIVE_MAX_MS + 1, false);
  expect(slots.room(merchant(99))).toBe(0);
  slots.recordHealth(merchant(49), RESPONSIVE_MAX_MS, true);
  expect(fill(slots, merchant(49))).toBe(31);
});

test('slots that are given back are free again whatever happened to the health of their merchants', () => {
  const slots = new Slots(LIMITS);
  const ids = Array.from({ length: 20 }, (_, i) => taken(slots, merchant(i))).flat();
  for (let i = 0; i < 20; i++) slots.recordHealth(merchant(i), i % 2 === 0 ? 10 : 8000, i % 2 === 0);
  for (const id of ids) slots.release(id);
  expect(slots.free).toBe(1024);
  expect(fill(slots, merchant(2))).toBe(32);
  expect(fill(slots, merchant(3))).toBeGreaterThan(0);
});

test('a slot is wanted by its own merchant, by others of a shared pool, and by all when slots are scarce', () => {
  const slots = new Slots(LIMITS);
  const others = new Set([merchant(99)]);
  slots.recordHealth(merchant(1), 30, true);
  expect(slots.isWanted(merchant(1), new Set())).toBe(false);
  expect(slots.isWanted(merchant(1), others)).toBe(false);
  expect(slots.isWanted(merchant(1), new Set([merchant(1)]))).toBe(true);
  expect(slots.isWanted(merchant(1), 'unknown')).toBe(true);
  expect(slots.isWanted(merchant(2), others)).toBe(true);
  for (let i = 100; i < 600; i++) {
    slots.recordHealth(merchant(i), 30, true);
    fill(slots, merchant(i));
  }
  expect(slots.isWanted(merchant(1), others)).toBe(true);
});

test('a slot of an unresponsive merchant is not wanted while its pool holds more than it should', () => {
  const slots = new Slots(LIMITS);
  const ids = Array.from({ length: UNRESPONSIVE_SLOTS + 2 }, (_, i): Id<'dlv'> => `dlv_hung${i}`);
  for (const [i, id] of ids.entries()) slots.take(id, merchant(i), 0);
  for (const i of ids.keys()) slots.recordHealth(merchant(i), 8000, false);
  const wanted: boolean[] = [];
  for (const [i, id] of ids.entries()) {
    wanted.push(slots.isWanted(merchant(i), new Set([merchant(0), merchant(99)])));
    slots.release(id);
  }
  expect(wanted).toEqual([false, false, ...Array(UNRESPONSIVE_SLOTS).fill(true)]);
});
