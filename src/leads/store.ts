import { type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { ofMerchant } from '../db/of-merchant.ts';
import { columnsOf, prepared } from '../db/prepared.ts';
import { namesOf, type RecordColumns } from '../db/recordset.ts';
import type { LeadErasureTable, LeadTable } from '../db/tables/leads.ts';
import type { Id } from '../kernel/ids.ts';
import { type Cents, cents } from '../kernel/money.ts';

export type LeadRow = Selectable<LeadTable>;

/** The columns of a lead that an order provides. */
export const SEEN_COLUMNS = {
  id: 'text',
  merchant_id: 'text',
  identity: 'text',
  email: 'text',
  phone: 'text',
  name: 'text',
  first_seen_at: 'bigint',
  last_seen_at: 'bigint',
  asked_cents: 'bigint',
  items: 'text',
  tracking: 'text',
  campaign: 'text',
} as const satisfies RecordColumns;
const SEEN_NAMES = namesOf(SEEN_COLUMNS);

export type SeenRow = Pick<LeadRow, keyof typeof SEEN_COLUMNS>;

/**
 * Inserts the lead, or adds the order to the lead of the same merchant and identity: counts grow, new values replace old
 * ones, missing values keep the old ones. Resolves to the lead's id.
 */
export async function upsertLead(tx: Tx, lead: SeenRow): Promise<Id<'led'>> {
  const [known] = await upsert(tx, lead);
  if (known === undefined) throw new Error('the lead was neither inserted nor updated');
  if (lead.campaign !== null && lead.campaign !== known.campaign) {
    await setCampaign(tx, { id: known.id, merchant_id: lead.merchant_id, campaign: lead.campaign });
  }
  return known.id;
}

// The campaign is set separately, because setting an indexed column rewrites its index entry even if it is unchanged.
const upsert = prepared((db, lead: SeenRow) =>
  db
    .insertInto('leads')
    .values({
      ...columnsOf(lead, SEEN_NAMES),
      orders_count: sql.lit(1),
      paid_count: sql.lit(0),
      paid_cents: sql.lit(cents(0)),
    })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'identity']).doUpdateSet((eb) => ({
        email: eb.fn.coalesce('excluded.email', 'leads.email'),
        phone: eb.fn.coalesce('excluded.phone', 'leads.phone'),
        name: eb.fn.coalesce('excluded.name', 'leads.name'),
        last_seen_at: eb.ref('excluded.last_seen_at'),
        orders_count: eb('leads.orders_count', '+', 1),
        asked_cents: eb('leads.asked_cents', '+', eb.ref('excluded.asked_cents')),
        items: eb.fn.coalesce('excluded.items', 'leads.items'),
        tracking: eb.fn.coalesce('excluded.tracking', 'leads.tracking'),
      })),
    )
    .returning(['leads.id', 'leads.campaign']),
);

const setCampaign = prepared((db, lead: Pick<LeadRow, 'id' | 'merchant_id' | 'campaign'>) =>
  db
    .updateTable('leads')
    .set(columnsOf(lead, ['campaign']))
    .where('id', '=', lead.id)
    .where('merchant_id', '=', lead.merchant_id),
);

interface PaidSale {
  leadId: Id<'led'>;
  merchantId: Id<'mer'>;
  amount: Cents;
}

/** Counts one paid order. Resolves to the changed rows. */
export const addPaid = prepared((db, { leadId, merchantId, amount }: PaidSale) =>
  db
    .updateTable('leads')
    .set((eb) => ({ paid_count: eb('paid_count', '+', 1), paid_cents: eb('paid_cents', '+', amount) }))
    .where('id', '=', leadId)
    .where('merchant_id', '=', merchantId)
    .returning('id'),
);

/** The merchant's leads with an id above `after`, the oldest first. */
export async function selectLeads(
  db: Queryable,
  merchantId: Id<'mer'>,
  page: { after: string | null; limit: number },
): Promise<LeadRow[]> {
  let query = db.selectFrom('leads').selectAll().where('merchant_id', '=', merchantId);
  if (page.after !== null) query = query.where('id', '>', page.after as Id<'led'>);
  return query.orderBy('id').limit(page.limit).execute();
}

/** Leads by id. */
export async function selectLeadsById(
  db: Queryable,
  ids: readonly Id<'led'>[],
): Promise<Map<Id<'led'>, LeadRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('leads').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function findLead(db: Queryable, id: Id<'led'>): Promise<LeadRow | undefined> {
  return db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Erases the personal data of a lead; counts and amounts stay. Resolves to false when it is erased already. */
export async function blankLead(
  tx: Tx,
  { id, merchant_id }: Pick<LeadRow, 'id' | 'merchant_id'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('leads')
    .set({
      identity: `erased:${id}`,
      email: null,
      phone: null,
      name: null,
      items: null,
      tracking: null,
      phone_key: null,
      name_key: null,
      campaign: null,
    })
    .where('id', '=', id)
    .where(ofMerchant(tx, merchant_id))
    .where('identity', '<>', `erased:${id}`)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** `waiting`: everything is erased, and will be erased again when the open payments are finished. */
export type ErasureState = 'running' | 'waiting' | 'done';

export function erasureState({
  cursor,
  finished_at,
}: Pick<LeadErasureTable, 'cursor' | 'finished_at'>): ErasureState {
  if (finished_at !== null) return 'done';
  return cursor === null ? 'waiting' : 'running';
}
