import type { Deps } from '../deps.ts';
import { domainsByMerchant, selectMerchants } from './store.ts';
import { type MerchantView, merchantView } from './view.ts';

const PAGE_LIMIT_MAX = 500;

/** Returns merchants with an id above `after`, the oldest first. */
export async function listMerchants(
  deps: Pick<Deps, 'db'>,
  page: { limit: number; after?: string | undefined },
): Promise<MerchantView[]> {
  const merchants: MerchantView[] = [];
  let { after = '' } = page;
  while (merchants.length < page.limit) {
    const limit = Math.min(PAGE_LIMIT_MAX, page.limit - merchants.length);
    const rows = await selectMerchants(deps.db.read, { after, limit });
    const domains = await domainsByMerchant(
      deps.db.read,
      rows.map((row) => row.id),
    );
    merchants.push(...rows.map((row) => merchantView(row, domains.get(row.id) ?? [])));
    if (rows.length < limit) break;
    after = rows.at(-1)?.id ?? '';
  }
  return merchants;
}
