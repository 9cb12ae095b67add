import { recordAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { cents } from '../kernel/money.ts';
import { requireMerchant } from '../merchants/store.ts';
import { appendEvent } from './append.ts';

/**
 * Sends the merchant a `webhook.test` event of 1 EUR, also when its webhook is turned off. Throws OperatorError when the
 * merchant is unknown or has no URL.
 */
export async function sendTestEvent(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>,
  merchantId: Id<'mer'>,
): Promise<{ deliveryId: Id<'dlv'> }> {
  return await deps.db.unit(async (tx) => {
    if ((await requireMerchant(tx, merchantId)).webhook_url === null) {
      throw new Refusal(
        'webhook_without_url',
        `merchant ${merchantId} has no webhook URL; set one with "merchant set ${merchantId} --webhook-url https://…"`,
      );
    }
    const { deliveryId } = await appendEvent(tx, deps, {
      merchantId,
      transactionId: null,
      kind: 'webhook.test',
      transactionSequence: null,
      data: {
        id: deps.ids('tx').replace('tx_', 'tx_test_'),
        externalOrderId: 'TEST',
        amount: cents(100),
        paymentMethod: null,
        status: 'pending',
        paidAt: null,
      },
    });
    await recordAudit(tx, deps, { action: 'test.sent', merchantId, target: deliveryId });
    return { deliveryId };
  });
}
