import type { Deps } from '../../deps.ts';
import { ACQUIRERS, type Acquirer } from '../../kernel/acquirer.ts';
import { HOUR_MS } from '../../kernel/clock.ts';
import { errorText } from '../../kernel/errors.ts';
import { createPeriodicJob, type PeriodicJob } from '../../kernel/periodic.ts';
import { lastPlanned } from '../../mail/store.ts';
import { type AccountRow, everyAccount } from '../store.ts';

type OutageDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings' | 'queueMail' | 'runtimeStats'>;

type Change = 'down' | 'up';

const EVERY_MS_MAX = 10_000;

/**
 * Creates the job that queues an alert when an acquirer has been unavailable for SERVICE_BANK_ALERT_SECONDS, and another when it
 * recovers.
 */
export function createOutageAlert(deps: OutageDeps): PeriodicJob {
  const { db, clock, log, settings } = deps;
  const everyMs = Math.min(EVERY_MS_MAX, settings.bankAlertMs);
  let startedAt = clock.now();
  /** The last announced outage of each acquirer, and whether its end was announced too. */
  const announced = new Map<Acquirer, { downAt: number; isOver: boolean }>();

  async function plannedAt(acquirer: Acquirer, change: Change): Promise<number> {
    return (await lastPlanned(db.read, 'alert-bank', `${acquirer}.${change}.`, clock.now()))?.planned_at ?? 0;
  }

  /** Reads the last alerts of all processes; those from before the clock was set back lie ahead and do not count. */
  async function readLast(acquirer: Acquirer) {
    const downAt = await plannedAt(acquirer, 'down');
    const last = { downAt, isOver: (await plannedAt(acquirer, 'up')) >= downAt };
    announced.set(acquirer, last);
    return last;
  }

  /** The start of each acquirer's outage. Superseded accounts do not count: their credentials may stay wrong. */
  function unavailableSince(accounts: readonly AccountRow[]): Map<Acquirer, number> {
    const sinces = deps.runtimeStats.read().bankUnavailableSince;
    const earliest = new Map<Acquirer, number>();
    for (const { id, acquirer } of accounts) {
      const since = sinces.get(id);
      if (since !== undefined) earliest.set(acquirer, Math.min(since, earliest.get(acquirer) ?? since));
    }
    return earliest;
  }

  /** Whether the list was read since the start. Until then, an account without a failure may not have been used. */
  const wasRead = ({ list_read_at: at }: AccountRow) => at !== null && at >= startedAt && at <= clock.now();

  async function run(): Promise<number> {
    const now = clock.now();
    // The clock may have been set back since the start.
    startedAt = Math.min(startedAt, now);
    const accounts = (await everyAccount(db.read)).filter(({ current }) => current === 1);
    const unavailable = unavailableSince(accounts);
    for (const acquirer of ACQUIRERS) {
      const { downAt, isOver } = announced.get(acquirer) ?? (await readLast(acquirer));
      const since = unavailable.get(acquirer);
      const isDown = since !== undefined && now >= since + settings.bankAlertMs;
      const own = accounts.filter((account) => account.acquirer === acquirer);
      const isUp = since === undefined && own.some(wasRead);
      if (isOver ? !isDown : !isUp) continue;
      const change = isOver ? 'down' : 'up';
      // Unless another process has announced it.
      if ((await plannedAt(acquirer, change)) <= downAt) await queue(acquirer, change);
      await readLast(acquirer);
    }
    return everyMs;
  }

  /** The hour in the entity deduplicates the alerts of the same moment. A second one within an hour waits for the next. */
  async function queue(acquirer: Acquirer, change: Change): Promise<void> {
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
