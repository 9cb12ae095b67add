import type { Deps } from '../../deps.ts';
import { type ErasureView, viewErasure } from '../../erasure/erase-lead.ts';
import { findErasure } from '../../erasure/store.ts';
import type { Id } from '../../kernel/ids.ts';
import { selectLeadsById } from '../../leads/store.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { notFound } from '../errors.ts';
import { type LeadOrder, ordersOfLead } from './store.ts';
import { type ListedLead, listedLead } from './view.ts';

const ORDERS_SHOWN_MAX = 20;

/** One lead with what its newest order told, and its newest orders. */
export interface ShownLead extends ListedLead {
  items: { name: string; quantity: number; priceInCents: number }[];
  tracking: Record<string, string>;
  newestOrders: LeadOrder[];
  progress: ErasureView | null;
}

/** Throws NOT_FOUND. */
export async function showLead(deps: Pick<Deps, 'db'>, leadId: Id<'led'>): Promise<ShownLead> {
  const row = (await selectLeadsById(deps.db.read, [leadId])).get(leadId);
  if (row === undefined) throw notFound();
  const erasure = await findErasure(deps.db.read, leadId);
  const progress = erasure === undefined ? null : await viewErasure(deps, leadId);
  const merchant = await selectMerchant(deps.db.read, row.merchant_id);
  return {
    ...listedLead({ ...row, merchant_name: merchant?.name ?? '', erasure: progress?.state ?? null }),
    items: row.items === null ? [] : JSON.parse(row.items),
    tracking: row.tracking === null ? {} : JSON.parse(row.tracking),
    newestOrders: await ordersOfLead(deps.db.read, leadId, ORDERS_SHOWN_MAX),
    progress,
  };
}
