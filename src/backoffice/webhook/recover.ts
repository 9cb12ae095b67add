import type { Deps } from '../../deps.ts';
import { demandMerchant } from '../../merchants/view.ts';
import { type RecoveryOrder, recoverEvents } from '../../webhooks/recovery/recover-events.ts';
import type { RecoveryView } from '../../webhooks/recovery/view.ts';
import { BackofficeError } from '../errors.ts';

/**
 * Queues everything that a merchant missed since a moment, and lets others at the database between its pages; resolves when
 * all of it is queued. Throws BackofficeError when the moment is yet to come or the webhook is off.
 */
export async function recoverMissed(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>,
  order: RecoveryOrder,
): Promise<RecoveryView> {
  if (order.since > deps.clock.now()) {
    throw new BackofficeError('BAD_REQUEST', 'That moment is yet to come. Give one in the past.', {
      reason: 'moment_to_come',
    });
  }
  const merchant = await demandMerchant(deps.db.read, order.merchantId);
  if (merchant.webhook_url === null || merchant.webhook_enabled === 0) {
    throw new BackofficeError('BAD_REQUEST', 'The webhook is off. Turn it on, then resend what was missed.', {
      reason: 'webhook_off',
    });
  }
  const run = recoverEvents(deps, order);
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
