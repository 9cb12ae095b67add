import type { Deps } from '../../deps.ts';
import { ACQUIRERS, type Acquirer } from '../../kernel/acquirer.ts';
import { errorText } from '../../kernel/errors.ts';
import { createPeriodicJob, type PeriodicJob } from '../../kernel/periodic.ts';
import { lastPlanned } from '../../mail/store.ts';
import { type AccountRow, everyAccount } from '../store.ts';

type OutageDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings' | 'queueMail' | 'runtimeStats'>;

type Change = 'down' | 'up';

const EVERY_MS_MAX = 10_000;
const HOUR_MS = 3_600_000;

/**
 * Creates the job that queues an alert when an acquirer has been unavailable for SERVICE_BANK_ALERT_SECONDS, and another when it
 * recovers.
 */
export function createOutageAlert(deps: OutageDeps): PeriodicJob {
  const { db, clock, log, settings } = deps;
  const everyMs = Math.min(EVERY_MS_MAX, settings.bankAlertMs);
  let startedAt = clock.now();
  let alerted: Set<Acquirer> | null = null;

  /** The acquirers whose outage was the last alert, also before the start. */
  async function lastAlerted(): Promise<Set<Acquirer>> {
    const plannedAt = async (acquirer: Acquirer, change: Change) =>
      (await lastPlanned(db.read, 'alert-bank', `${acquirer}.${change}.`, clock.now()))?.planned_at ?? 0;
    const found = new Set<Acquirer>();
    for (const acquirer of ACQUIRERS)
      if ((await plannedAt(acquirer, 'down')) > (await plannedAt(acquirer, 'up'))) found.add(acquirer);
    return found;
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
    alerted ??= await lastAlerted();
    for (const [acquirer, since] of unavailable) {
      if (alerted.has(acquirer) || now < since + settings.bankAlertMs) continue;
      if (await announce(acquirer, 'down')) alerted.add(acquirer);
    }
    for (const acquirer of alerted) {
      const own = accounts.filter((account) => account.acquirer === acquirer);
      if (unavailable.has(acquirer) || !own.some(wasRead)) continue;
      if (await announce(acquirer, 'up')) alerted.delete(acquirer);
    }
    return everyMs;
  }

  /**
   * Queues the alert unless another process has, and returns whether it is the last one. The hour in the entity deduplicates
   * alerts of the same moment; a second one within an hour waits for the next.
   */
  async function announce(acquirer: Acquirer, change: Change): Promise<boolean> {
    const isLast = async () => (await lastAlerted()).has(acquirer) === (change === 'down');
    if (await isLast()) return true;
    const entity = `${acquirer}.${change}.${Math.floor(clock.now() / HOUR_MS)}`;
    await db.unit((tx) => deps.queueMail(tx, { kind: 'alert-bank', entity }));
    return isLast();
  }

  return createPeriodicJob({
    clock,
    run,
    firstAfterMs: everyMs,
    onError: (error) => log.error({ detail: errorText(error) }, 'cannot queue the alert about an outage'),
    retryAfterMs: EVERY_MS_MAX,
  });
}
