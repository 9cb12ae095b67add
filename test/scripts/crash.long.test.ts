import { expect, test } from 'vitest';
import { runCrash } from '../../scripts/crash/crash.ts';

const ROUNDS = 3;

test('killed at any moment under load, the service keeps what it acknowledged, books every euro once, announces it once and in order, and leaves nothing open', async () => {
  const seed = Number(process.env.SEED ?? 1 + (Date.now() % 2 ** 31));
  const { verdict, log, arrivals } = await runCrash({ rounds: ROUNDS, seed, print() {} });
  expect(verdict, `seed ${seed}`).toMatchObject({
    ...{ faults: [], lost: 0, missingReceipts: 0, inventedReceipts: 0 },
    ...{ outOfOrder: 0, repeatedSuccesses: 0 },
  });
  expect(verdict.requestsPerDeliveryMax).toBeLessThanOrEqual(5);
  expect(log.inits.size).toBeGreaterThan(0);
  expect(arrivals.length).toBeGreaterThan(0);
});
