import type { Deps } from '../../src/deps.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { campaignKey } from '../../src/kernel/person-keys.ts';
import { leadOf, recordLead, type SeenLead } from '../../src/leads/record.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { testDeps } from '../merchants/support.ts';

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

/** A register of leads with these merchants; `record` records an order of 10 EUR, of the first merchant if `rest` names no other. */
export async function register(merchantsCount = 1) {
  const deps = await testDeps();
  const merchantIds: Id<'mer'>[] = [];
  for (let made = 0; made < merchantsCount; made++) {
    const domains = [`shop${made}.pt`];
    merchantIds.push((await createMerchant(deps, { name: `Loja ${made}`, domains })).merchantId);
  }
  const [merchantId = 'mer_none'] = merchantIds;
  const record = async (customer: SeenLead['customer'], rest: Partial<SeenLead> = {}) => {
    const order = { merchant_id: merchantId, ...orderTexts(null), asked_cents: cents(1000), ...rest };
    const lead = leadOf(deps, { customer, ...order });
    if (lead === null) throw new Error('no lead');
    return await deps.db.unit((tx) => recordLead(tx, lead));
  };
  return { deps, merchantIds, merchantId, record };
}

/** The dependencies of a process that dies after its first unit of work. */
export function dying<D extends Pick<Deps, 'db'>>(deps: D): D {
  let units = 0;
  const unit: Deps['db']['unit'] = (work) => {
    units += 1;
    if (units > 1) throw new Error('the process died');
    return deps.db.unit(work);
  };
  return { ...deps, db: Object.create(deps.db, { unit: { value: unit } }) };
}
