import { recordAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { newWebhookSecret } from './secrets.ts';
import { replaceWebhookSecret } from './store.ts';
import { demandMerchant } from './view.ts';

const OVERLAP_MS = 24 * 3_600_000;

/**
 * Makes a new webhook secret. For 24 h, or until `finishRotation`, deliveries are signed with the old one as well; with `now`
 * the new one is the only one at once. A rotation that overlaps another is refused: the secret that it would drop may
 * be the one that the merchant has installed. Throws OperatorError on that, or on an unknown id.
 */
export async function rotateWebhookSecret(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
  options: { now: boolean },
): Promise<{ webhookSecret: string }> {
  const webhookSecret = newWebhookSecret(deps.random);
  const sealed = deps.box.seal(webhookSecret, `merchants.webhook_secret:${merchantId}`);
  await deps.db.unit(async (tx) => {
    const { webhook_secret: old, previous_secret_until } = await demandMerchant(tx, merchantId);
    const now = deps.clock.now();
    const until = previous_secret_until === null ? now : Number(previous_secret_until);
    if (!options.now && now < until) {
      throw new OperatorError(
        `a rotation of ${merchantId} runs until ${isoInstant(until)}; end it with "webhook rotate-finish ${merchantId}" first, or replace both secrets at once with --now`,
      );
    }
    const previous = options.now ? null : { secret: old, until: now + OVERLAP_MS };
    if (!(await replaceWebhookSecret(tx, merchantId, old, { current: sealed, previous }))) {
      throw new OperatorError(`the secret of ${merchantId} was changed at the same time; try again`);
    }
    await recordAudit(tx, deps, {
      action: 'secret.rotated',
      merchantId,
      target: merchantId,
      details: { overlapUntil: previous === null ? null : isoInstant(previous.until) },
    });
  });
  return { webhookSecret };
}
