import { afterAll, expect, test } from 'vitest';
import { runSeed } from '../../scripts/sim/run.ts';
import { createFolder } from '../../scripts/sim/storage.ts';
import { verdict } from './sim-support.ts';

const SEEDS = 24;
const REPLAYED_SEEDS = [3, 17];

const folder = createFolder();
afterAll(() => folder.remove());

test(`${SEEDS} simulated runs with faults and crashes keep every invariant, and replay exactly`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const first = await runSeed(seed, folder.path);
    expect(verdict(first), `seed ${seed}`).toBe('passed');
    if (!REPLAYED_SEEDS.includes(seed)) continue;
    const second = await runSeed(seed, folder.path);
    expect(second.trace).toEqual(first.trace);
    expect(second.digest).toBe(first.digest);
  }
}, 60_000);
