import { type InferResult, sql } from 'kysely';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../kernel/ids.ts';
import { type ErasureState, erasureState } from './store.ts';

const COLUMNS = [
  'leads.id',
  'leads.merchant_id',
  'merchants.name as merchant_name',
  'leads.identity',
  'leads.name',
  'leads.email',
  'leads.phone',
  'leads.campaign',
  'leads.first_seen_at',
  'leads.last_seen_at',
  'leads.orders_count',
  'leads.asked_cents',
  'leads.paid_count',
  'leads.paid_cents',
] as const;

/** A listed lead, without its items. */
export type SearchedLead = InferResult<ReturnType<typeof leads>>[number];

function leads(db: Queryable) {
  return db.selectFrom('leads').innerJoin('merchants', 'merchants.id', 'leads.merchant_id').select(COLUMNS);
}

/**
 * Leads with an id below `before`, the newest first, of one merchant or of all. `campaign` selects only leads of one merchant: there
 * is no index of the campaigns of all merchants, and without one the query would read every lead.
 */
export async function newestLeads(
  db: Queryable,
  { merchantId, campaign }: { merchantId: Id<'mer'> | null; campaign: string | undefined },
  before: Id<'led'> | null,
  limit: number,
) {
  let query = leads(db);
  if (merchantId !== null) {
    query = query.where('leads.merchant_id', '=', merchantId);
    if (campaign !== undefined) query = query.where('leads.campaign', '=', campaign);
  }
  if (before !== null) query = query.where('leads.id', '<', before);
  return query.orderBy('leads.id', 'desc').limit(limit).execute();
}

/** Erased leads with an id below `before`, the newest first. */
export async function erasedLeads(
  db: Queryable,
  merchantId: Id<'mer'> | null,
  before: Id<'led'> | null,
  limit: number,
) {
  let query = leads(db).where('leads.id', 'in', (eb) => {
    let erased = eb.selectFrom('lead_erasures').select('lead_erasures.lead_id');
    if (merchantId !== null) erased = erased.where('lead_erasures.merchant_id', '=', merchantId);
    if (before !== null) erased = erased.where('lead_erasures.lead_id', '<', before);
    return erased.orderBy('lead_erasures.lead_id', 'desc').limit(limit);
  });
  if (merchantId !== null) query = query.where('leads.merchant_id', '=', merchantId);
  return query.orderBy('leads.id', 'desc').execute();
}

/** Leads by id, the newest first. */
export async function leadsByIds(db: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return leads(db)
    .where('leads.id', 'in', ids as Id<'led'>[])
    .orderBy('leads.id', 'desc')
    .execute();
}

export async function erasuresOf(
  db: Queryable,
  ids: readonly Id<'led'>[],
): Promise<Map<Id<'led'>, ErasureState>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('lead_erasures')
    .select(['lead_id', 'cursor', 'finished_at'])
    .where('lead_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.lead_id, erasureState(row)]));
}

/** The campaigns of a merchant's leads in alphabetical order. Each query jumps to the next one in the index. */
export async function campaignsOfMerchant(db: Queryable, merchantId: Id<'mer'>, limit: number) {
  const campaigns: string[] = [];
  while (campaigns.length < limit) {
    const next = await db
      .selectFrom('leads')
      .select('campaign')
      .where('merchant_id', '=', merchantId)
      .where('campaign', '>', campaigns.at(-1) ?? '')
      .orderBy('campaign')
      .limit(sql.lit(1))
      .executeTakeFirst();
    if (next === undefined || next.campaign === null) break;
    campaigns.push(next.campaign);
  }
  return campaigns;
}

/** The campaigns among the newest leads of all merchants, in alphabetical order. */
export async function campaignsOfNewest(db: Queryable, leadsMax: number) {
  const newest = db.selectFrom('leads').select('campaign').orderBy('id', 'desc').limit(leadsMax);
  const rows = await db
    .selectFrom(newest.as('newest'))
    .select('campaign')
    .distinct()
    .where('campaign', 'is not', null)
    .orderBy('campaign')
    .execute();
  return rows.flatMap((row) => row.campaign ?? []);
}

export async function ordersOfLead(db: Queryable, leadId: Id<'led'>, limit: number) {
  return await db
    .selectFrom('transactions')
    .select(['id as transactionId', 'order_id as orderId', 'amount_cents as amountCents', 'status', 'held'])
    .select('created_at as createdAt')
    .where('lead_id', '=', leadId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
