import { afterAll, expect, test } from 'vitest';
import { runSeed } from '../../scripts/sim/run.ts';
import { createFolder } from '../../scripts/sim/storage.ts';
import { verdict } from './sim-support.ts';

const SEEDS = 24;
const REPLAYED_SEEDS = [3, 17];

const folder = createFolder();
afterAll(() => folder.remove());

test(`${SEEDS} simulated runs with faults and crashes keep every invariant`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    expect(verdict(await runSeed(seed, folder.path)), `seed ${seed}`).toBe('passed');
  }
}, 60_000);

test.each(REPLAYED_SEEDS)('seed %i replays exactly', async (seed) => {
  const first = await runSeed(seed, folder.path);
  const second = await runSeed(seed, folder.path);
  expect(second.trace).toEqual(first.trace);
  expect(second.digest).toBe(first.digest);
});
