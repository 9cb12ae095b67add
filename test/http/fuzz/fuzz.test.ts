import { expect, test } from 'vitest';
import { fuzz } from './run.ts';

/** The variable `CALLS` changes the number. */
const CALLS = Number(process.env.CALLS ?? 250);

test(
  'no call gets a 500 or a malformed answer, and no refused call changes a row',
  async () => {
    const tally = await fuzz(CALLS);
    expect(tally.get('200')).toBeGreaterThan(CALLS / 15);
  },
  60_000 + CALLS * 50,
);
