import { pruneCallbacks } from '../banks/prune-store.ts';
import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import { createPeriodicJob, type PeriodicJob } from '../kernel/periodic.ts';
import { pruneMails } from '../mail/prune-store.ts';
import { pruneRequests } from '../requests/prune-store.ts';
import { pruneAnswers } from '../rpc/prune-store.ts';
import { pruneDeliveryAttempts } from '../webhooks/delivery/prune-store.ts';
import { PASS_EVERY_MS, pruneStep, type RetainedTable } from './step.ts';

/** The page of the request log shows this number. */
const REQUEST_LOG_DAYS = 7;
/** Longer than any reference lives, so that no mail is queued twice. */
const MAIL_DAYS = 180;
const START_AFTER_MS = 10_000;
const RETRY_AFTER_MS = 60_000;

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

type RetentionDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'log'>;

/** Deletes rows beyond their maximum age, in small steps. */
export function createRetention(deps: RetentionDeps): Pick<PeriodicJob, 'start' | 'stop'> {
  const jobs = RETAINED_TABLES.map((retained) =>
    createPeriodicJob({
      clock: deps.clock,
      firstAfterMs: START_AFTER_MS,
      run: passes(deps, retained),
      onError: (error) =>
        deps.log.error(
          { table: retained.table, detail: errorText(error) },
          'cannot delete old rows; retrying in a minute',
        ),
      retryAfterMs: RETRY_AFTER_MS,
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

/**
 * Returns a function that takes the next step of a pass over the table. Every process makes its own passes. Rows are deleted by
 * the time of the pass before, so that a clock that is ahead for less than an hour deletes nothing too early.
 */
function passes(deps: RetentionDeps, retained: RetainedTable): () => Promise<number> {
  const { clock, log, settings } = deps;
  const { table } = retained;
  let lastAt: number | null = null;
  let passAt = 0;
  let after: string | null = null;
  let passRows = 0;
  return async () => {
    if (after === null) {
      const now = clock.now();
      const isFirst = lastAt === null;
      passAt = Math.min(now, (lastAt ?? now) + PASS_EVERY_MS);
      lastAt = now;
      if (isFirst) return PASS_EVERY_MS;
    }
    const step = await pruneStep(deps, retained, after ?? '', passAt);
    after = step.after;
    passRows += step.rows;
    if (after === null && passRows > 0) {
      log.info({ table, rows: passRows, olderThanDays: retained.days(settings) }, 'old rows deleted');
      passRows = 0;
    }
    return step.restMs;
  };
}
