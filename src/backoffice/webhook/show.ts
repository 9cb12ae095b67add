import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { demandMerchant } from '../../merchants/view.ts';
import { countMissed, MISSED_LOOKED_AT_MAX } from './store.ts';

const SHOWN_CHARACTERS = 4;

/** The webhook of a merchant without its secret. Instants in UTC milliseconds. */
export interface WebhookView {
  url: string | null;
  enabled: boolean;
  /** The beginning and the last characters. */
  secretMasked: string;
  /** While the secret before the current one still signs: until when. */
  rotation: { until: number } | null;
  /** Events of payments that did not arrive and are not on their way; null when there are none. */
  missed: { events: number; since: number; more: boolean } | null;
}

/** What the webhook page shows. Throws OperatorError on an unknown id. */
export async function showWebhook(
  { db, clock, box }: Pick<Deps, 'db' | 'clock' | 'box'>,
  merchantId: Id<'mer'>,
): Promise<WebhookView> {
  const merchant = await demandMerchant(db.read, merchantId);
  const missed = await countMissed(db.read, merchantId);
  const until = merchant.previous_secret_until === null ? 0 : Number(merchant.previous_secret_until);
  const secret = box.open(merchant.webhook_secret, `merchants.webhook_secret:${merchantId}`);
  return {
    url: merchant.webhook_url,
    enabled: merchant.webhook_enabled === 1,
    secretMasked: `whsec_••••••••${secret.slice(-SHOWN_CHARACTERS)}`,
    rotation: until > clock.now() ? { until } : null,
    missed:
      missed.since === null
        ? null
        : { events: missed.events, since: missed.since, more: missed.looked === MISSED_LOOKED_AT_MAX },
  };
}
