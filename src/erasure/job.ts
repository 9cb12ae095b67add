import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import { createPeriodicJob, type PeriodicJob } from '../kernel/periodic.ts';
import { stepErasure } from './step.ts';
import { dueErasures } from './store.ts';

const EVERY_MS = 10_000;
const LEADS_MAX = 10;

/** The periodic job that continues unfinished erasures. Its state is in the database, so any process can run it. */
export function createErasureJob(deps: Pick<Deps, 'db' | 'clock' | 'log'>): PeriodicJob {
  return createPeriodicJob({
    clock: deps.clock,
    async run(isStopping) {
      const due = await dueErasures(deps.db.read, deps.clock.now(), LEADS_MAX);
      for (const erasure of due) {
        // An erasure that fails must not block the others.
        try {
          while (!isStopping() && (await stepErasure(deps, erasure)));
        } catch (error) {
          deps.log.error({ leadId: erasure.lead_id, detail: errorText(error) }, 'erasure failed; retrying');
        }
      }
      try {
        if (due.length > 0) await deps.db.emptyLog();
      } catch (error) {
        deps.log.error({ detail: errorText(error) }, 'cannot empty the write-ahead log after an erasure');
      }
      return EVERY_MS;
    },
    onError: (error) => deps.log.error({ detail: errorText(error) }, 'cannot read due erasures; retrying'),
    retryAfterMs: EVERY_MS,
  });
}
