import { expect, test } from 'vitest';
import { fuzz } from './run.ts';

/** The variable `CALLS` changes the number. */
const CALLS = Number(process.env.CALLS ?? 5000);

test(`none of ${CALLS} calls gets a 500 or a malformed answer, and no refused call changes a row`, async () => {
  const tally = await fuzz(CALLS);
  expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBe(CALLS);
});
