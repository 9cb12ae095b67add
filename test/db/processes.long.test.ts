import { expect, test } from 'vitest';
import { runCluster } from '../../scripts/crash/cluster.ts';

/** Generous: a busy machine takes its time to start a server and to find that it is there. */
const RECOVERED_MAX_MS = 30_000;
/** A mail that a kill interrupted arrives 90 s later. */
const TEST_MS = 600_000;

test(
  'when two of four processes are killed under load and PostgreSQL crashes, nothing acknowledged is lost, booked twice or announced out of order',
  async () => {
    const seed = Number(process.env.SEED ?? 1 + (Date.now() % 2 ** 31));
    const { faults, log, arrivals, ...figures } = await runCluster(seed);
    const { perSecondBefore, databaseBackMs, recoveredMs } = figures;
    process.stdout.write(
      `orders: ${perSecondBefore.toFixed(0)}/s before, the database back after ${databaseBackMs} ms, half as many orders after ${recoveredMs} ms\n`,
    );
    expect(faults, `seed ${seed}`).toEqual([]);
    expect(recoveredMs).toBeLessThan(RECOVERED_MAX_MS);
    expect(log.inits.size).toBeGreaterThan(0);
    expect(arrivals).toBeGreaterThan(0);
  },
  TEST_MS,
);
