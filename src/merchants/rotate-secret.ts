import { recordAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { newWebhookSecret } from './secrets.ts';
import { lockMerchant, replaceWebhookSecret, requireMerchant, updateMerchant } from './store.ts';

const OVERLAP_MS = 24 * 3_600_000;

/**
 * Creates a new webhook secret. The old one keeps signing for 24 h or until `finishRotation`; with `now` it stops
 * immediately. A second rotation during that time is refused, because it would drop the secret that the merchant may
 * have installed. Throws OperatorError on that, or on an unknown id.
 */
export async function rotateWebhookSecret(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
  options: { now: boolean },
): Promise<{ webhookSecret: string }> {
  const webhookSecret = newWebhookSecret(deps.random);
  const encrypted = deps.box.encrypt(webhookSecret, `merchants.webhook_secret:${merchantId}`);
  await deps.db.unit(async (tx) => {
    const { webhook_secret: old, previous_secret_until } = await requireMerchant(tx, merchantId);
    const now = deps.clock.now();
    const until = previous_secret_until ?? now;
    if (!options.now && now < until) {
      throw new Refusal(
        'rotation_running',
        `a rotation of ${merchantId} is in progress until ${isoInstant(until)}; finish it with "webhook rotate-finish ${merchantId}" first, or replace both secrets with --now`,
        { until },
      );
    }
    const previous = options.now ? null : { secret: old, until: now + OVERLAP_MS };
    if (!(await replaceWebhookSecret(tx, merchantId, old, { current: encrypted, previous }))) {
      throw new Refusal(
        'secret_changed',
        `the secret of ${merchantId} was changed by another call; try again`,
      );
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

/**
 * Ends a rotation: from the next attempt only the new webhook secret signs. Resolves to the current secret, also when
 * there was no rotation. Throws OperatorError on an unknown id.
 */
export async function finishRotation(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
): Promise<{ webhookSecret: string }> {
  const encrypted = await deps.db.unit(async (tx) => {
    const merchant = await lockMerchant(tx, merchantId);
    await updateMerchant(tx, merchantId, { previous_webhook_secret: null, previous_secret_until: null });
    if (merchant.previous_webhook_secret !== null) {
      await recordAudit(tx, deps, { action: 'secret.rotation_finished', merchantId, target: merchantId });
    }
    return merchant.webhook_secret;
  });
  return { webhookSecret: deps.box.decrypt(encrypted, `merchants.webhook_secret:${merchantId}`) };
}
