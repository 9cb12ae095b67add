import type { Queryable, Tx } from '../db/database.ts';
import type { MerchantTable } from '../db/tables/tables.ts';
import { isoInstant } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { listDomains, selectMerchant } from './store.ts';

/** A merchant as the operator sees it; no secret is inside. */
export interface MerchantView {
  merchantId: Id<'mer'>;
  name: string;
  active: boolean;
  hold: boolean;
  domains: string[];
  webhookUrl: string | null;
  webhookEnabled: boolean;
  createdAt: string;
}

export function merchantView(row: MerchantTable, domains: string[]): MerchantView {
  return {
    merchantId: row.id,
    name: row.name,
    active: row.active === 1,
    hold: row.hold === 1,
    domains,
    webhookUrl: row.webhook_url,
    webhookEnabled: row.webhook_enabled === 1,
    createdAt: isoInstant(row.created_at),
  };
}

/** The merchant, with its domains. Throws OperatorError when there is none of this id. */
export async function viewMerchant(db: Queryable, id: Id<'mer'>): Promise<MerchantView> {
  return merchantView(await demandMerchant(db, id), await listDomains(db, id));
}

/** The merchant's row. Throws OperatorError when there is none of this id. */
export async function demandMerchant(db: Queryable, id: Id<'mer'>): Promise<MerchantTable> {
  return orThrow(await selectMerchant(db, id), id);
}

/** The same, with the row's lock: for a change that depends on what else belongs to the merchant. */
export async function lockMerchant(tx: Tx, id: Id<'mer'>): Promise<MerchantTable> {
  return orThrow(await selectMerchant(tx, id, true), id);
}

function orThrow(row: MerchantTable | null, id: Id<'mer'>): MerchantTable {
  if (row === null)
    throw new OperatorError(`there is no merchant ${id}; "merchant list" shows those there are`);
  return row;
}
