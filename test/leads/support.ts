import type { Tx } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import { campaignKey } from '../../src/kernel/person-keys.ts';
import { leadOf, recordLeads, type SeenLead } from '../../src/leads/record.ts';

/** The register's view of an order with these items and tracking parameters. */
export function orderTexts(
  items: object[] | null,
  tracking: object | null = null,
): Pick<SeenLead, 'items' | 'tracking' | 'campaign'> {
  return {
    items: items && JSON.stringify(items),
    tracking: tracking && JSON.stringify(tracking),
    campaign: campaignKey(tracking),
  };
}

/** Records one order. Resolves to the lead's id, or to null without any. */
export async function recordLead(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>, seen: SeenLead) {
  const row = leadOf(deps, seen);
  return row === null ? null : ((await recordLeads(tx, [row]))[0] ?? null);
}
