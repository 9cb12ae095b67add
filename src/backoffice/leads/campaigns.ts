import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { campaignsOfMerchant, campaignsOfNewest } from '../../leads/search-store.ts';

const CAMPAIGNS_MAX = 100;
const NEWEST_LEADS = 2000;

/** Campaigns to choose from: a merchant's, or those of the newest leads of all. */
export async function listCampaigns(
  deps: Pick<Deps, 'db'>,
  merchantId: Id<'mer'> | undefined,
): Promise<string[]> {
  if (merchantId !== undefined) return campaignsOfMerchant(deps.db.read, merchantId, CAMPAIGNS_MAX);
  return (await campaignsOfNewest(deps.db.read, NEWEST_LEADS)).slice(0, CAMPAIGNS_MAX);
}
