import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { lastPlannedAt } from '../mail/store.ts';

export type AlertDeps = Pick<Deps, 'clock' | 'settings' | 'queueMail'>;

const SLOT_DIGITS = 10;

/**
 * Queues an alert for each merchant with a newly undelivered event: immediately after the first, then at most once per
 * SERVICE_MAIL_ALERT_SECONDS.
 */
export async function alertUndelivered(
  tx: Tx,
  deps: AlertDeps,
  merchantIds: Iterable<Id<'mer'>>,
): Promise<void> {
  const { mail, mailAlertMs } = deps.settings;
  if (!mail) return;
  for (const merchantId of new Set(merchantIds)) {
    const now = deps.clock.now();
    const last = await lastPlannedAt(tx, 'alert-undelivered', `${merchantId}.`);
    if (last !== null && last > now) continue;
    const plannedAt = Math.max(now, (last ?? 0) + mailAlertMs);
    const slot = String(Math.floor(plannedAt / mailAlertMs)).padStart(SLOT_DIGITS, '0');
    await deps.queueMail(tx, { kind: 'alert-undelivered', entity: `${merchantId}.${slot}`, plannedAt });
  }
}
