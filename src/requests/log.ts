import type { ApiRequestTable } from '../db/tables/requests.ts';
import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { createPeriodicJob, type PeriodicJob } from '../kernel/periodic.ts';
import { createAdmission } from './admission.ts';
import { insertRequests } from './store.ts';

/** The most rows that wait for the next insert; beyond it the oldest are dropped. */
const WAITING_MAX = 500;
const INSERT_EVERY_MS = 1000;

export type RequestEntry = Omit<ApiRequestTable, 'skipped_count'>;

export interface RequestLog extends Pick<PeriodicJob, 'start' | 'stop'> {
  /** Adds a request without waiting; calls `describe` only when the request is listed. */
  add(merchantId: Id<'mer'>, isFailure: boolean, describe: () => RequestEntry): void;
}

/** Creates the log. Entries wait in memory and are inserted together; without any, the job queries nothing. */
export function createRequestLog(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>): RequestLog {
  const admit = createAdmission();
  let waiting: ApiRequestTable[] = [];

  async function insertWaiting(): Promise<void> {
    const rows = waiting;
    if (rows.length === 0) return;
    waiting = [];
    try {
      await deps.db.unit((tx) => insertRequests(tx, rows));
    } catch (error) {
      // Not retried, because the outcome of a failed commit may be unknown.
      deps.metrics.requestsUnlogged(rows.length);
      deps.log.warn({ rows: rows.length, detail: errorText(error) }, 'cannot write the request log');
    }
  }

  const job = createPeriodicJob({
    clock: deps.clock,
    firstAfterMs: INSERT_EVERY_MS,
    async run() {
      await insertWaiting();
      return INSERT_EVERY_MS;
    },
    // insertWaiting reports its failures, because the last insert runs after the job.
    onError: (error) => {
      throw error;
    },
  });
  return {
    start: () => job.start(),
    async stop() {
      await job.stop();
      await insertWaiting();
    },
    add(merchantId, isFailure, describe) {
      const skipped = admit(merchantId, isFailure, deps.clock.now());
      if (skipped === null) return;
      waiting.push({ ...describe(), skipped_count: skipped });
      if (waiting.length <= WAITING_MAX) return;
      waiting.shift();
      deps.metrics.requestsUnlogged(1);
    },
  };
}
