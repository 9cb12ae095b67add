import { recordAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { endOverlap } from './store.ts';
import { demandMerchant } from './view.ts';

/**
 * Ends the overlap of a rotation: the new webhook secret signs alone from the next attempt on, and the old one is forgotten. Resolves to
 * the secret in force, also when no rotation was running. Throws OperatorError on an unknown id.
 */
export async function finishRotation(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
): Promise<{ webhookSecret: string }> {
  const sealed = await deps.db.unit(async (tx) => {
    const merchant = await demandMerchant(tx, merchantId);
    await endOverlap(tx, merchantId);
    if (merchant.previous_webhook_secret !== null) {
      await recordAudit(tx, deps, { action: 'secret.rotation_finished', merchantId, target: merchantId });
    }
    return merchant.webhook_secret;
  });
  return { webhookSecret: deps.box.open(sealed, `merchants.webhook_secret:${merchantId}`) };
}
