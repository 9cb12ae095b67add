import { recordAudit } from '../../audit/store.ts';
import type { Deps } from '../../deps.ts';
import { isoInstant } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { rotateWebhookSecret } from '../../merchants/rotate-secret.ts';
import { requireMerchant } from '../../merchants/view.ts';
import { sendTestEvent } from '../../webhooks/test-event.ts';
import type { MerchantContext } from '../context.ts';
import { BackofficeError, refused } from '../errors.ts';
import { endpointHealth } from './health.ts';
import { missedEvents } from './store.ts';

const SHOWN_CHARACTERS = 4;

/** The webhook settings of a merchant, with the secret masked. */
export async function showWebhook(
  { db, clock, box }: Pick<Deps, 'db' | 'clock' | 'box'>,
  merchantId: Id<'mer'>,
) {
  const merchant = await requireMerchant(db.read, merchantId);
  const until = Number(merchant.previous_secret_until ?? 0);
  const secret = box.decrypt(merchant.webhook_secret, `merchants.webhook_secret:${merchantId}`);
  return {
    url: merchant.webhook_url,
    enabled: merchant.webhook_enabled === 1,
    secretMasked: `whsec_••••••••${secret.slice(-SHOWN_CHARACTERS)}`,
    /** The time until which the previous secret also signs. */
    rotation: until > clock.now() ? { until } : null,
    missed: await missedEvents(db.read, merchantId),
    autoRecover: merchant.auto_recover === 1,
    health: await endpointHealth(db.read, merchant),
  };
}

/** Returns the webhook secret in plain text and records that in the audit log. */
export async function revealSecret(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
): Promise<{ secret: string }> {
  const encrypted = await deps.db.unit(async (tx) => {
    const merchant = await requireMerchant(tx, merchantId);
    await recordAudit(tx, deps, { action: 'secret.revealed', merchantId, target: merchantId });
    return merchant.webhook_secret;
  });
  return { secret: deps.box.decrypt(encrypted, `merchants.webhook_secret:${merchantId}`) };
}

/** Replaces the webhook secret. Throws while an earlier rotation is running, unless with `now`. */
export async function rotate(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
  options: { now: boolean },
): Promise<{ secret: string }> {
  const merchant = await requireMerchant(deps.db.read, merchantId);
  const until = Number(merchant.previous_secret_until ?? 0);
  if (!options.now && deps.clock.now() < until) {
    throw refused(
      'rotation_running',
      `A rotation is running until ${isoInstant(until)}. Finish it first, or replace both secrets at once.`,
      { values: { until } },
    );
  }
  const { webhookSecret } = await rotateWebhookSecret(deps, merchantId, options);
  return { secret: webhookSecret };
}

/** Counts a test event, a resend or a recovery of the merchant. Throws TOO_MANY_REQUESTS with the seconds to wait. */
export async function countSend({ sendLimit, merchantId }: MerchantContext): Promise<void> {
  const standing = await sendLimit?.count(`sends ${merchantId}`);
  if (!standing?.exceeded) return;
  const { limit, resetSeconds: seconds } = standing;
  throw new BackofficeError(
    'TOO_MANY_REQUESTS',
    `At most ${limit} test events, resends and recoveries per minute. Try again in ${seconds} s.`,
    { reason: 'sends_too_many', values: { limit, seconds } },
  );
}

/** Sends a `webhook.test` event, even while the webhook is off. Throws when there is no URL. */
export async function sendTest(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>,
  merchantId: Id<'mer'>,
): Promise<{ deliveryId: Id<'dlv'> }> {
  const merchant = await requireMerchant(deps.db.read, merchantId);
  if (merchant.webhook_url === null) {
    throw refused('webhook_without_url', 'There is no webhook URL. Save one, then send the test event.');
  }
  return await sendTestEvent(deps, merchantId);
}
