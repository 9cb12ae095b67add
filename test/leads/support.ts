import { campaignKey } from '../../src/kernel/person-keys.ts';
import type { SeenLead } from '../../src/leads/record.ts';

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
