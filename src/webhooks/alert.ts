import type { Tx } from '../db/database.ts';
import type { DeliveryTable } from '../db/tables/webhooks.ts';
import type { Deps } from '../deps.ts';
import { lastPlanned } from '../mail/store.ts';

export type AlertDeps = Pick<Deps, 'clock' | 'settings' | 'queueMail'>;

/** Digits of an instant in milliseconds, so that intervals sort by time. */
const INSTANT_DIGITS = 13;

/**
 * Queues an alert for each merchant of these undelivered deliveries, test events apart: immediately after the first, then at
 * most once per SERVICE_MAIL_ALERT_SECONDS.
 */
export async function alertUndelivered(
  tx: Tx,
  deps: AlertDeps,
  deliveries: readonly Pick<DeliveryTable, 'kind' | 'merchant_id'>[],
): Promise<void> {
  const { mail, mailAlertMs } = deps.settings;
  if (!mail) return;
  const lost = deliveries.filter(({ kind }) => kind !== 'webhook.test');
  // The same order in all processes prevents deadlocks.
  for (const merchantId of [...new Set(lost.map(({ merchant_id }) => merchant_id))].sort()) {
    const now = deps.clock.now();
    // Mails planned even later were planned before the clock was set back.
    const last = await lastPlanned(tx, 'alert-undelivered', `${merchantId}.`, now + mailAlertMs);
    if (last !== undefined && last.due_at !== null && last.planned_at > now) continue;
    const plannedAt = Math.max(now, (last?.planned_at ?? 0) + mailAlertMs);
    // The start of the interval, not its number, so that intervals also sort after the setting was changed.
    const interval = String(Math.floor(plannedAt / mailAlertMs) * mailAlertMs).padStart(INSTANT_DIGITS, '0');
    await deps.queueMail(tx, { kind: 'alert-undelivered', entity: `${merchantId}.${interval}`, plannedAt });
  }
}
