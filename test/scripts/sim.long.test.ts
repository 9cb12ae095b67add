import { afterAll, expect, test } from 'vitest';
import { runSeed } from '../../scripts/sim/run.ts';
import { createFolder } from '../../scripts/sim/storage.ts';
import { verdict } from './sim-support.ts';

const FIRST_SEED = 101;
const SEEDS = 200;

/** What the runs must include: a simulation without faults proves nothing. */
const EXPECTED = {
  transaction: ['paid', 'failed', 'cancelled', 'held'],
  attempt: ['lapsed', 'expired', 'unknown', 'dead', 'rejected', 'declined'],
  receipt: ['late', 'duplicate', 'under', 'over', 'unmatched'],
  delivery: ['delivered', 'undelivered', 'skipped'],
  callback: ['lost', 'twice', 'otherAmount', 'badKey', 'forged'],
  bank: ['lost', 'hang', 'late', 'answerLost', 'misnamed row'],
  create: ['refused', 'unknown'],
  endpoint: ['status500', 'redirect', 'hang', 'drip', 'resetAfter'],
  operator: ['release', 'credit', 'resend', 'assign', 'return', 'keep', 'account'],
  clock: ['jump'],
  'crash:': [
    ...['unit', 'commit', 'push leaves', 'push arrived', 'push answered', 'reference answered'],
    ...['delivery leaves', 'delivery arrived', 'delivery answered'],
  ],
};

const folder = createFolder();
afterAll(() => folder.remove());

test(`${SEEDS} simulated runs keep every invariant and include every fault`, async () => {
  const counts = new Map<string, number>();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const result = await runSeed(seed, folder.path);
    expect(verdict(result), `seed ${seed}`).toBe('passed');
    for (const [name, count] of result.counts) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const expected = Object.entries(EXPECTED).flatMap(([kind, names]) =>
    names.map((name) => `${kind} ${name}`),
  );
  expect(expected.filter((name) => !counts.has(name))).toEqual([]);
  for (const name of ['freeze', 'stop']) expect(counts.get(name)).toBeGreaterThan(0);
});
