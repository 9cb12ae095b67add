import { expect, test } from 'vitest';
import { fuzz } from './run.ts';

/** The environment's `CALLS` makes it another number. */
const CALLS = Number(process.env.CALLS ?? 5000);

test(`of ${CALLS} odd calls none gets a 500, an answer out of shape, or changes a row that it was refused`, async () => {
  const tally = await fuzz(CALLS);
  expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBe(CALLS);
});
