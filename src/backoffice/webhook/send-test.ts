import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { demandMerchant } from '../../merchants/view.ts';
import { sendTestEvent } from '../../webhooks/test-event.ts';
import { BackofficeError } from '../errors.ts';

/** Sends a `webhook.test` event, also while the toggle is off. Throws BackofficeError when there is no URL. */
export async function sendTest(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>,
  merchantId: Id<'mer'>,
): Promise<{ deliveryId: Id<'dlv'> }> {
  const merchant = await demandMerchant(deps.db.read, merchantId);
  if (merchant.webhook_url === null) {
    throw new BackofficeError('BAD_REQUEST', 'There is no webhook URL yet. Save one, then send the test.', {
      reason: 'webhook_without_url',
    });
  }
  return await sendTestEvent(deps, merchantId);
}
