import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { Flag } from '../db/tables/columns.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { checkWebhookUrl } from '../kernel/webhook-url.ts';
import { type MerchantChange, updateMerchant } from './store.ts';
import { type MerchantView, requireMerchant, viewMerchant } from './view.ts';

/** The settings to change. Missing members stay as they are. */
export interface MerchantSettings {
  active?: boolean | undefined;
  hold?: boolean | undefined;
  /** Whether every member of the team must use two-factor authentication. */
  teamFactor?: boolean | undefined;
  /** Whether the owner may refund the merchant's payments. */
  refunds?: boolean | undefined;
  /** Whether refunds send `payment.refunded`. */
  refundEvents?: boolean | undefined;
  autoRecover?: boolean | undefined;
  customerMails?: boolean | undefined;
  alerts?: boolean | undefined;
  webhookUrl?: string | undefined;
  webhookEnabled?: boolean | undefined;
  /** Whether the merchant's first URL turns the webhook on, as in `createMerchant`. */
  enableWithFirstUrl?: boolean | undefined;
}

/** The settings that are on or off, with their columns. */
const SWITCHES = [
  ['active', 'active'],
  ['hold', 'hold'],
  ['refunds', 'refunds'],
  ['refundEvents', 'refund_events'],
  ['autoRecover', 'auto_recover'],
  ['customerMails', 'customer_mails'],
  ['alerts', 'alerts'],
  ['webhookEnabled', 'webhook_enabled'],
] as const satisfies readonly (readonly [keyof MerchantSettings, keyof MerchantChange])[];

/** Changes settings, effective with the next call. Throws OperatorError on an invalid value or an unknown id. */
export async function setMerchant(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'settings' | 'actor'>,
  id: Id<'mer'>,
  settings: MerchantSettings,
): Promise<MerchantView> {
  const requested: MerchantChange = {};
  for (const [name, column] of SWITCHES) {
    const value = settings[name];
    if (value !== undefined) requested[column] = flag(value);
  }
  if (settings.teamFactor !== undefined) {
    requested.team_factor_at = settings.teamFactor ? deps.clock.now() : null;
  }
  if (settings.webhookUrl !== undefined) {
    requested.webhook_url = checkWebhookUrl(settings.webhookUrl, {
      allowPrivateNetworks: deps.settings.webhookAllowPrivateNetworks,
    });
  }
  return deps.db.unit(async (tx) => {
    const before = await requireMerchant(tx, id);
    const first = requested.webhook_url !== undefined && before.webhook_url === null;
    const change: MerchantChange =
      first && settings.enableWithFirstUrl === true ? { webhook_enabled: 1, ...requested } : requested;
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
  const { webhook_url: url, webhook_enabled: enabled, team_factor_at: teamFactor } = change;
  const switched = SWITCHES.filter(
    ([name, column]) => name !== 'webhookEnabled' && change[column] !== undefined,
  );
  const account = {
    ...Object.fromEntries(switched.map(([name, column]) => [name, change[column] === 1])),
    ...(teamFactor !== undefined && { teamFactor: teamFactor !== null }),
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
