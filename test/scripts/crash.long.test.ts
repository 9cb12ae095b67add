import { expect, test } from 'vitest';
import { runCrash } from '../../scripts/crash/crash.ts';

const ROUNDS = 3;
/** A mail that a kill interrupted arrives 90 s later. */
const TEST_MS = 600_000;

test(
  'a service killed at random under load loses no acknowledged call, payment, refund, event or mail',
  async () => {
    const seed = Number(process.env.SEED ?? 1 + (Date.now() % 2 ** 31));
    const { faults, log, state, arrivals, mails } = await runCrash({ rounds: ROUNDS, seed, print() {} });
    expect(faults, `seed ${seed}`).toEqual([]);
    expect(log.inits.size).toBeGreaterThan(0);
    expect(log.sessions.size).toBeGreaterThan(0);
    expect(state.bankRefunds.length).toBeGreaterThan(0);
    expect(mails.length).toBeGreaterThan(0);
    expect(arrivals.length).toBeGreaterThan(0);
  },
  TEST_MS,
);
