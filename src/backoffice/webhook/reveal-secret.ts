import { recordAudit } from '../../audit/store.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { demandMerchant } from '../../merchants/view.ts';

/** The webhook secret in force, in plain; the audit log knows who asked. Throws OperatorError on an unknown id. */
export async function revealSecret(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
): Promise<{ secret: string }> {
  const sealed = await deps.db.unit(async (tx) => {
    const merchant = await demandMerchant(tx, merchantId);
    await recordAudit(tx, deps, { action: 'secret.revealed', merchantId, target: merchantId });
    return merchant.webhook_secret;
  });
  return { secret: deps.box.open(sealed, `merchants.webhook_secret:${merchantId}`) };
}
