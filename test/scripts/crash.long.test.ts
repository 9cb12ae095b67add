import { expect, test } from 'vitest';
import { runCrash } from '../../scripts/crash/crash.ts';

const ROUNDS = 3;

test('a service killed at random under load loses no acknowledged call, payment or event', async () => {
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
