import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomText, systemRandom } from '../../src/kernel/random.ts';

test('random text has the requested length and only characters of the alphabet', () => {
  fc.assert(
    fc.property(fc.nat({ max: 40 }), fc.string({ minLength: 1, maxLength: 60 }), (length, alphabet) => {
      const text = randomText(systemRandom, length, alphabet);
      return (
        text.length === length && [...Array(length).keys()].every((i) => alphabet.includes(text[i] ?? '?'))
      );
    }),
  );
});

test('no byte is returned twice, whatever the length', () => {
  const taken = [16, 16, 4090, 16, 5000, 16].map((length) => systemRandom(length).toString('latin1'));
  expect(taken.map((bytes) => bytes.length)).toEqual([16, 16, 4090, 16, 5000, 16]);
  expect(new Set(taken.map((bytes) => bytes.slice(0, 16))).size).toBe(taken.length);
});

test('bytes that would bias the result are discarded', () => {
  const bytes = [255, 254, 250, 0, 1, 2];
  const random = (length: number) => Buffer.from(Array.from({ length }, () => bytes.shift() ?? 0));
  // 10 characters: 0–249 are fair, 250–255 are not.
  expect(randomText(random, 3, '0123456789')).toBe('012');
});
