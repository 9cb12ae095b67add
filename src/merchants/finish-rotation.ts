import { recordAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { endOverlap } from './store.ts';
import { requireMerchant } from './view.ts';

/**
 * Ends a rotation: from the next attempt only the new webhook secret signs. Resolves to the current secret, also when
 * there was no rotation. Throws OperatorError on an unknown id.
 */
export async function finishRotation(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
): Promise<{ webhookSecret: string }> {
  const encrypted = await deps.db.unit(async (tx) => {
    const merchant = await requireMerchant(tx, merchantId);
    await endOverlap(tx, merchantId);
    if (merchant.previous_webhook_secret !== null) {
      await recordAudit(tx, deps, { action: 'secret.rotation_finished', merchantId, target: merchantId });
    }
    return merchant.webhook_secret;
  });
  return { webhookSecret: deps.box.decrypt(encrypted, `merchants.webhook_secret:${merchantId}`) };
}
