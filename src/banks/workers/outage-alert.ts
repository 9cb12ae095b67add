import type { Deps } from '../../deps.ts';
import type { Acquirer } from '../../kernel/acquirer.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { createPeriodicJob, type PeriodicJob } from '../../kernel/periodic.ts';
import { accountById } from '../store.ts';

type OutageDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings' | 'queueMail' | 'runtimeStats'>;

const EVERY_MS_MAX = 10_000;
const HOUR_MS = 3_600_000;

/**
 * Creates the job that queues an alert when an acquirer has been unavailable for SERVICE_BANK_ALERT_SECONDS, and another when it
 * recovers.
 */
export function createOutageAlert(deps: OutageDeps): PeriodicJob {
  const { db, clock, log, settings } = deps;
  const everyMs = Math.min(EVERY_MS_MAX, settings.bankAlertMs);
  const alerted = new Set<Acquirer>();

  async function unavailableSince(): Promise<Map<Acquirer, number>> {
    const earliest = new Map<Acquirer, number>();
    for (const [accountId, since] of deps.runtimeStats.read().bankUnavailableSince) {
      // Its credentials, which may be unreadable, are not needed.
      const account = await accountById(db.read, accountId as Id<'acc'>);
      if (account === undefined) continue;
      const { acquirer } = account;
      earliest.set(acquirer, Math.min(since, earliest.get(acquirer) ?? since));
    }
    return earliest;
  }

  async function run(): Promise<number> {
    const now = clock.now();
    const unavailable = await unavailableSince();
    for (const [acquirer, since] of unavailable) {
      if (alerted.has(acquirer) || now < since + settings.bankAlertMs) continue;
      await queue(acquirer, 'down');
      alerted.add(acquirer);
    }
    for (const acquirer of alerted) {
      if (unavailable.has(acquirer)) continue;
      await queue(acquirer, 'up');
      alerted.delete(acquirer);
    }
    return everyMs;
  }

  /** The hour in the entity deduplicates the alerts of several processes. */
  async function queue(acquirer: Acquirer, change: 'down' | 'up'): Promise<void> {
    const entity = `${acquirer}.${change}.${Math.floor(clock.now() / HOUR_MS)}`;
    await db.unit((tx) => deps.queueMail(tx, { kind: 'alert-bank', entity }));
  }

  return createPeriodicJob({
    clock,
    run,
    firstAfterMs: everyMs,
    onError: (error) => log.error({ detail: errorText(error) }, 'cannot queue the alert about an outage'),
    retryAfterMs: EVERY_MS_MAX,
  });
}
