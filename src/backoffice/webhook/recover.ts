import type { Deps } from '../../deps.ts';
import { requireMerchant } from '../../merchants/view.ts';
import type { RecoveryView } from '../../webhooks/recovery/list.ts';
import { type RecoveryRequest, recoverEvents } from '../../webhooks/recovery/recover-events.ts';
import { refused } from '../errors.ts';

/**
 * Queues the events that a merchant missed since an instant, one page per transaction. Throws BackofficeError when the
 * instant is in the future or the webhook is off.
 */
export async function recoverMissed(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>,
  order: RecoveryRequest,
): Promise<RecoveryView> {
  if (order.since > deps.clock.now()) {
    throw refused('moment_to_come', 'Choose a time in the past.');
  }
  const merchant = await requireMerchant(deps.db.read, order.merchantId);
  if (merchant.webhook_url === null || merchant.webhook_enabled === 0) {
    throw refused('webhook_off', 'The webhook is off. Turn it on, then resend the missed events.');
  }
  const run = recoverEvents(deps, order);
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
