import { type InsertQueryBuilder, type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { ofMerchant } from '../db/of-merchant.ts';
import { columnsOf, prepared } from '../db/prepared.ts';
import { namesOf, type RecordColumns, selectRecords } from '../db/recordset.ts';
import type { LeadErasureTable, LeadTable } from '../db/tables/leads.ts';
import type { Tables } from '../db/tables/tables.ts';
import type { Id } from '../kernel/ids.ts';
import { type Cents, cents } from '../kernel/money.ts';

export type LeadRow = Selectable<LeadTable>;

/** The columns of a lead that orders provide. */
const SEEN_COLUMNS = {
  id: 'text',
  merchant_id: 'text',
  identity: 'text',
  email: 'text',
  phone: 'text',
  name: 'text',
  first_seen_at: 'bigint',
  last_seen_at: 'bigint',
  orders_count: 'bigint',
  asked_cents: 'bigint',
  items: 'text',
  tracking: 'text',
  campaign: 'text',
} as const satisfies RecordColumns;
const SEEN_NAMES = namesOf(SEEN_COLUMNS);

export type SeenRow = Pick<LeadRow, keyof typeof SEEN_COLUMNS>;

const UNINDEXED = ['email', 'phone', 'name', 'items', 'tracking'] as const;
/** The columns that an order replaces when it has a value. */
export const REPLACED = [...UNINDEXED, 'campaign'] as const;

/**
 * Inserts leads, or adds the orders to the leads of the same merchant and identity: counts grow, new values replace old ones, missing
 * values keep the old ones. The records must name each lead at most once. Sorted, so that transactions that write the same leads do
 * not deadlock.
 */
export const upsertRecords = (db: Queryable, records: string) =>
  orUpdated(
    db
      .insertInto('leads')
      .columns([...SEEN_NAMES, 'paid_count', 'paid_cents'])
      .expression(
        sql<never>`${selectRecords(db, records, SEEN_COLUMNS, sql.lit(0), sql.lit(0))} order by merchant_id, identity`,
      ),
    REPLACED,
  );

/** The same for one lead, without its campaign: setting an indexed column rewrites SQLite's index entry even if it is unchanged. */
export const upsertLead = prepared((db, lead: SeenRow) =>
  orUpdated(
    db
      .insertInto('leads')
      .values({ ...columnsOf(lead, SEEN_NAMES), paid_count: sql.lit(0), paid_cents: sql.lit(cents(0)) }),
    UNINDEXED,
  ),
);

type KnownLead = Pick<LeadRow, 'id' | 'merchant_id' | 'campaign'>;

export const setCampaign = prepared((db, { id, merchant_id, campaign }: KnownLead) =>
  db.updateTable('leads').set({ campaign }).where('id', '=', id).where('merchant_id', '=', merchant_id),
);

/** Makes the insert update a lead that exists; `replaced` are the columns that take new values. */
const orUpdated = (
  insert: InsertQueryBuilder<Tables, 'leads', unknown>,
  replaced: readonly (typeof REPLACED)[number][],
) =>
  insert
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'identity']).doUpdateSet((eb) => ({
        ...Object.fromEntries(
          replaced.map((name) => [name, eb.fn.coalesce(`excluded.${name}`, `leads.${name}`)]),
        ),
        last_seen_at: eb.ref('excluded.last_seen_at'),
        orders_count: eb('leads.orders_count', '+', eb.ref('excluded.orders_count')),
        asked_cents: eb('leads.asked_cents', '+', eb.ref('excluded.asked_cents')),
      })),
    )
    .returning(['leads.id', 'leads.merchant_id', 'leads.identity', 'leads.campaign']);

/** Counts one paid order. Resolves to the changed rows. */
export const addPaid = prepared(
  (db, { id, merchant_id, amount_cents }: Pick<LeadRow, 'id' | 'merchant_id'> & { amount_cents: Cents }) =>
    db
      .updateTable('leads')
      .set((eb) => ({
        paid_count: eb('paid_count', '+', 1),
        paid_cents: eb('paid_cents', '+', amount_cents),
      }))
      .where('id', '=', id)
      .where('merchant_id', '=', merchant_id)
      .returning('id'),
);

/** The merchant's leads with an id above `after`, the oldest first. */
export async function selectLeads(
  db: Queryable,
  { merchantId, after = '', limit }: { merchantId: Id<'mer'>; after?: string | undefined; limit: number },
) {
  return db
    .selectFrom('leads')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '>', after as Id<'led'>)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function selectLeadsById(
  db: Queryable,
  ids: readonly Id<'led'>[],
): Promise<Map<Id<'led'>, LeadRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('leads').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The lead with this id; with `merchantId`, only if it is that merchant's. */
export async function findLead(db: Queryable, id: Id<'led'>, merchantId: Id<'mer'> | null = null) {
  return db
    .selectFrom('leads')
    .selectAll()
    .where('id', '=', id)
    .$if(merchantId !== null, (query) => query.where(ofMerchant(db, merchantId)))
    .executeTakeFirst();
}

/** The identity of an erased lead. */
export const erasedIdentity = (id: Id<'led'>) => `erased:${id}`;

/** Erases the personal data of a lead; counts and amounts stay. Resolves to false when it is erased already. */
export async function blankLead(
  tx: Tx,
  { id, merchant_id }: Pick<LeadRow, 'id' | 'merchant_id'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('leads')
    .set({
      identity: erasedIdentity(id),
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
    .where('identity', '<>', erasedIdentity(id))
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
