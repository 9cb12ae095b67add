import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIds, idFloor } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { fakeClock } from '../support/fake-clock.ts';

function idsAt(instants: readonly number[], random = systemRandom): string[] {
  let next = 0;
  const clock = { ...fakeClock(), now: () => instants[next++] ?? 0 };
  const ids = createIds(clock, random);
  return instants.map(() => ids('tx'));
}

const instant = fc.integer({ min: 0, max: Date.UTC(2200, 0) });

test('ids sort in the order of their creation and never repeat, also when the clock is set back', () => {
  const anyOrder = fc.array(instant, { minLength: 1, maxLength: 100 });
  const ascending = anyOrder.map((instants) => instants.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(fc.oneof(anyOrder, ascending), (instants) => {
      const ids = idsAt(instants);
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 200 },
  );
});

test('within one millisecond the order holds also from the highest random start', () => {
  const ids = idsAt(Array(1000).fill(5), (length) => Buffer.alloc(length, 0xff));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(1000);
});

test('the lowest id of any instant is below all later ids, also before 1970', () => {
  const [first = ''] = idsAt([0]);
  expect([-1, 0].map((at) => idFloor('tx', at) < first)).toEqual([true, true]);
});

test('ids of the same millisecond differ in both halves of their random part', () => {
  const halves = Array.from({ length: 50 }, () => /^tx_.{10}(.{8})(.{8})$/.exec(idsAt([5]).join('')) ?? []);
  for (const half of [1, 2]) expect(new Set(halves.map((match) => match[half])).size).toBe(50);
});
