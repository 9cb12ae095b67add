import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { Flag } from '../db/tables/tables.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { checkWebhookUrl } from '../kernel/webhook-url.ts';
import { type MerchantChange, updateMerchant } from './store.ts';
import { demandMerchant, type MerchantView, viewMerchant } from './view.ts';

/** What an operator may set; what is left out stays. */
export interface MerchantSettings {
  active?: boolean | undefined;
  hold?: boolean | undefined;
  webhookUrl?: string | undefined;
  webhookEnabled?: boolean | undefined;
  /** The first URL turns the webhook on, as a URL given at the merchant's making does; a later one leaves it as it is. */
  enableWithFirstUrl?: boolean | undefined;
}

/** Changes a merchant's settings, in force with the next call. Throws OperatorError on a bad value or an unknown id. */
export async function setMerchant(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'settings' | 'actor'>,
  id: Id<'mer'>,
  settings: MerchantSettings,
): Promise<MerchantView> {
  const asked: MerchantChange = {};
  if (settings.active !== undefined) asked.active = flag(settings.active);
  if (settings.hold !== undefined) asked.hold = flag(settings.hold);
  if (settings.webhookEnabled !== undefined) asked.webhook_enabled = flag(settings.webhookEnabled);
  if (settings.webhookUrl !== undefined) {
    asked.webhook_url = checkWebhookUrl(settings.webhookUrl, {
      allowPrivateNetworks: deps.settings.webhookAllowPrivateNetworks,
    });
  }
  return deps.db.unit(async (tx) => {
    const before = await demandMerchant(tx, id);
    const first = asked.webhook_url !== undefined && before.webhook_url === null;
    const change: MerchantChange =
      first && settings.enableWithFirstUrl === true ? { webhook_enabled: 1, ...asked } : asked;
    await updateMerchant(tx, id, change);
    await audit(tx, deps, id, change);
    return viewMerchant(tx, id);
  });
}

async function audit(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'actor'>,
  id: Id<'mer'>,
  change: MerchantChange,
): Promise<void> {
  const { webhook_url: url, webhook_enabled: enabled, active, hold } = change;
  const account = {
    ...(active !== undefined && { active: active === 1 }),
    ...(hold !== undefined && { hold: hold === 1 }),
  };
  const webhook = {
    ...(url !== undefined && { url }),
    ...(enabled !== undefined && { enabled: enabled === 1 }),
  };
  const about = { merchantId: id, target: id };
  if (Object.keys(account).length > 0)
    await recordAudit(tx, deps, { action: 'merchant.changed', ...about, details: account });
  if (Object.keys(webhook).length > 0)
    await recordAudit(tx, deps, { action: 'webhook.changed', ...about, details: webhook });
}

function flag(value: boolean): Flag {
  return value ? 1 : 0;
}
