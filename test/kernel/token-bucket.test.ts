import { expect, test } from 'vitest';
import { tokenBucket } from '../../src/kernel/token-bucket.ts';

test('a token bucket allows a burst, then its rate, and returns the wait for the next token', () => {
  const take = tokenBucket(4, 3, 0);
  expect([take(0), take(0), take(0), take(0)]).toEqual([0, 0, 0, 250]);
  expect([take(125), take(250), take(250)]).toEqual([125, 0, 250]);
  expect([take(60_000), take(60_000), take(60_000), take(60_000)]).toEqual([0, 0, 0, 250]);
});

test('a clock that was set back neither drains a token bucket nor stops it from filling', () => {
  const take = tokenBucket(4, 3, 60_000);
  expect([take(60_000), take(0), take(0), take(0)]).toEqual([0, 0, 0, 250]);
  expect(take(250)).toBe(0);
});
