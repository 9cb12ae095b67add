import { recordAudit } from '../../audit/store.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { requireMerchant } from '../../merchants/view.ts';
import type { MerchantContext } from '../context.ts';
import { BackofficeError } from '../errors.ts';
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
