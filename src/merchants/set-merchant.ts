import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { MerchantRow } from '../db/tables/merchants.ts';
import type { Deps } from '../deps.ts';
import type { AuditDetails } from '../kernel/audit-words.ts';
import type { Id } from '../kernel/ids.ts';
import { checkWebhookUrl } from '../kernel/webhook-url.ts';
import { lockMerchant, type MerchantChange, SWITCHES, type Switch, updateMerchant } from './store.ts';
import { type MerchantView, viewMerchant } from './view.ts';

/** The settings to change. Missing members stay as they are. */
export interface MerchantSettings extends Partial<Record<Switch, boolean | undefined>> {
  /** Whether every member of the team must use two-factor authentication. */
  teamFactor?: boolean | undefined;
  webhookUrl?: string | undefined;
  /** Whether the merchant's first URL turns the webhook on, as in `createMerchant`. */
  enableWithFirstUrl?: boolean | undefined;
}

const SWITCH_NAMES = Object.keys(SWITCHES) as Switch[];

/**
 * Changes settings, effective with the next call; what already has its value stays. `onAutoRecover` runs in the same transaction
 * when automatic recovery is switched on. Throws OperatorError on an invalid value or an unknown id.
 */
export async function setMerchant(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'settings' | 'actor'>,
  id: Id<'mer'>,
  settings: MerchantSettings,
  onAutoRecover?: (tx: Tx, id: Id<'mer'>, now: number) => Promise<void>,
): Promise<MerchantView> {
  const requested: MerchantChange = {};
  for (const name of SWITCH_NAMES) {
    const value = settings[name];
    if (value !== undefined) requested[SWITCHES[name]] = value ? 1 : 0;
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
    const before = await lockMerchant(tx, id);
    const first = requested.webhook_url !== undefined && before.webhook_url === null;
    const change = changed(
      before,
      first && settings.enableWithFirstUrl === true ? { webhook_enabled: 1, ...requested } : requested,
    );
    await updateMerchant(tx, id, change);
    if (change.auto_recover === 1) await onAutoRecover?.(tx, id, deps.clock.now());
    await audit(tx, deps, id, change);
    return viewMerchant(tx, id);
  });
}

/** The requested values that differ from the current ones, so that a repetition leaves no audit entry. */
function changed(before: MerchantRow, requested: MerchantChange): MerchantChange {
  const columns = Object.keys(requested) as (keyof MerchantChange)[];
  const differing = columns.filter((column) =>
    column === 'team_factor_at'
      ? (requested[column] === null) !== (before[column] === null)
      : requested[column] !== before[column],
  );
  return Object.fromEntries(differing.map((column) => [column, requested[column]]));
}

async function audit(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'actor'>,
  id: Id<'mer'>,
  change: MerchantChange,
): Promise<void> {
  const { webhook_url: url, webhook_enabled: enabled, team_factor_at: teamFactor } = change;
  const account: Partial<Record<keyof AuditDetails, boolean>> = {};
  for (const name of SWITCH_NAMES) {
    const value = change[SWITCHES[name]];
    if (name !== 'webhookEnabled' && value !== undefined) account[name] = value === 1;
  }
  if (teamFactor !== undefined) account.teamFactor = teamFactor !== null;
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
