import { pruneCallbacks } from '../banks/prune-store.ts';
import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import { createPeriodicJob, type PeriodicJob } from '../kernel/periodic.ts';
import { pruneMails } from '../mail/prune-store.ts';
import { pruneRequests } from '../requests/prune-store.ts';
import { pruneAnswers } from '../rpc/prune-store.ts';
import { pruneDeliveryAttempts } from '../webhooks/delivery/prune-store.ts';
import { pruneStep, type RetainedTable } from './step.ts';

/** The page of the request log shows this number. */
const REQUEST_LOG_DAYS = 7;
/** Longer than any reference lives, so that no mail is queued twice. */
const MAIL_DAYS = 180;
const START_AFTER_MS = 10_000;
/** The longest wait between two checks, because another process may have advanced the position. */
const IDLE_MAX_MS = 60_000;

/**
 * All tables with a maximum age. Transactions, attempts, receipts, events and deliveries are never deleted, because their unique
 * keys keep money and events from being counted twice.
 */
export const RETAINED_TABLES: readonly RetainedTable[] = [
  {
    table: 'delivery_attempts',
    days: (settings) => settings.deliveryAttemptDays,
    prune: pruneDeliveryAttempts,
  },
  { table: 'idempotency', days: (settings) => settings.idempotencyDays, prune: pruneAnswers },
  { table: 'bank_hints', days: (settings) => settings.bankHintDays, prune: pruneCallbacks },
  { table: 'api_requests', days: () => REQUEST_LOG_DAYS, prune: pruneRequests },
  { table: 'mails', days: () => MAIL_DAYS, prune: pruneMails },
];

type RetentionDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'log' | 'metrics'>;

/** Deletes rows beyond their maximum age, in small steps. Any number of processes share one position per table. */
export function createRetention(deps: RetentionDeps): Pick<PeriodicJob, 'start' | 'stop'> {
  const jobs = RETAINED_TABLES.map((retained) =>
    createPeriodicJob({
      clock: deps.clock,
      firstAfterMs: START_AFTER_MS,
      run: () => prune(deps, retained),
      onError: (error) =>
        deps.log.error(
          { table: retained.table, detail: errorText(error) },
          'cannot delete old rows; retrying in a minute',
        ),
      retryAfterMs: IDLE_MAX_MS,
    }),
  );
  return {
    start: () => {
      for (const job of jobs) job.start();
    },
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

async function prune(deps: RetentionDeps, retained: RetainedTable): Promise<number> {
  const { clock, log, metrics, settings } = deps;
  const { table } = retained;
  const step = await pruneStep(deps, retained);
  if (step.rows > 0) metrics.rowsPruned(table, step.rows);
  if (step.passRows !== null && step.passRows > 0) {
    log.info({ table, rows: step.passRows, olderThanDays: retained.days(settings) }, 'old rows deleted');
  }
  return Math.min(Math.max(step.nextAt - clock.now(), 1), IDLE_MAX_MS);
}
