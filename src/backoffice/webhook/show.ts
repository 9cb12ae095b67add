import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { demandMerchant } from '../../merchants/view.ts';
import { type Missed, missedEvents } from './missed.ts';

const SHOWN_CHARACTERS = 4;

/** The webhook of a merchant without its secret. Instants in UTC milliseconds. */
export interface WebhookView {
  url: string | null;
  enabled: boolean;
  /** The beginning and the last characters. */
  secretMasked: string;
  /** While the secret before the current one still signs: until when. */
  rotation: { until: number } | null;
  missed: Missed | null;
}

/** What the webhook page shows. Throws OperatorError on an unknown id. */
export async function showWebhook(
  { db, clock, box }: Pick<Deps, 'db' | 'clock' | 'box'>,
  merchantId: Id<'mer'>,
): Promise<WebhookView> {
  const merchant = await demandMerchant(db.read, merchantId);
  const until = merchant.previous_secret_until === null ? 0 : Number(merchant.previous_secret_until);
  const secret = box.open(merchant.webhook_secret, `merchants.webhook_secret:${merchantId}`);
  return {
    url: merchant.webhook_url,
    enabled: merchant.webhook_enabled === 1,
    secretMasked: `whsec_••••••••${secret.slice(-SHOWN_CHARACTERS)}`,
    rotation: until > clock.now() ? { until } : null,
    missed: await missedEvents(db.read, merchantId),
  };
}
