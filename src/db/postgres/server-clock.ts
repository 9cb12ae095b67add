import { sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { createPeriodicJob, type PeriodicJob } from '../../kernel/periodic.ts';
import type { Database } from '../database.ts';

/** Clocks with a smaller difference count as synchronised. */
const DIFFERENCE_MAX_MS = 1000;
const MEASURE_EVERY_MS = 10_000;

/**
 * The clock of this machine, corrected by its difference from the database server's. Processes on one database compare instants
 * written by each other: a process with a wrong clock would repeat deliveries that another is sending. `job` repeats the
 * measurement.
 */
export async function createServerClock(
  db: Pick<Database, 'read'>,
  own: Clock,
  onCorrected: (differenceMs: number) => void,
): Promise<{ clock: Clock; job: PeriodicJob }> {
  let differenceMs = 0;
  const measure = async () => {
    const from = own.now();
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db.read);
    const to = own.now();
    const measuredMs = Math.round((rows[0]?.now ?? to) - (from + to) / 2);
    if (Math.abs(measuredMs - differenceMs) > DIFFERENCE_MAX_MS + Math.abs(to - from) / 2) {
      differenceMs = Math.abs(measuredMs) > DIFFERENCE_MAX_MS ? measuredMs : 0;
      onCorrected(differenceMs);
    }
    return MEASURE_EVERY_MS;
  };
  await measure();
  return {
    clock: { ...own, now: () => own.now() + differenceMs, correct: async () => void (await measure()) },
    job: createPeriodicJob({
      clock: own,
      firstAfterMs: MEASURE_EVERY_MS,
      run: measure,
      // The last measured difference stays in use.
      onError: () => {},
    }),
  };
}
