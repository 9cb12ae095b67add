import { sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { columnsOf, prepared } from '../db/prepared.ts';
import type { LeadTable } from '../db/tables.ts';
import type { Id } from '../kernel/ids.ts';
import { type Cents, cents } from '../kernel/money.ts';

/** A lead as one order tells of it. */
export type SeenRow = Omit<LeadTable, 'orders_count' | 'paid_count' | 'paid_cents'>;

/**
 * Inserts the lead, or adds its order to the row of the same merchant and identity: counts grow, what the newest
 * order tells replaces the old, what it leaves out stays. Resolves to the row's id.
 */
export async function upsertLead(tx: Tx, lead: SeenRow): Promise<Id<'led'>> {
  const [row] = await upsert(tx, lead);
  if (row === undefined) throw new Error('the lead was neither inserted nor updated');
  const { id, ...known } = row;
  const keys = {
    phone_key: lead.phone_key ?? known.phone_key,
    name_key: lead.name_key ?? known.name_key,
    campaign: lead.campaign ?? known.campaign,
  };
  const changed =
    keys.phone_key !== known.phone_key ||
    keys.name_key !== known.name_key ||
    keys.campaign !== known.campaign;
  if (changed) await setKeys(tx, { id, ...keys });
  return id;
}

// One statement for all cases: a guarded update of what no index holds, tried first, was no faster (31 to 29 µs, commit apart).
// It leaves the keys alone: SQLite makes the index entry of a column that is set anew, also of one set to what it was. With
// customers who come back that was 163 of 389 pages in a commit of 32 inits, and 50 of 175 µs an init.
const upsert = prepared((db, lead: SeenRow) =>
  db
    .insertInto('leads')
    .values({
      ...columnsOf(lead, [
        'id',
        'merchant_id',
        'identity',
        'email',
        'phone',
        'name',
        'first_seen_at',
        'last_seen_at',
        'asked_cents',
        'items',
        'tracking',
        'phone_key',
        'name_key',
        'campaign',
      ]),
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
    .returning(['leads.id', 'leads.phone_key', 'leads.name_key', 'leads.campaign']),
);

const setKeys = prepared((db, lead: Pick<LeadTable, 'id' | 'phone_key' | 'name_key' | 'campaign'>) =>
  db
    .updateTable('leads')
    .set(columnsOf(lead, ['phone_key', 'name_key', 'campaign']))
    .where('id', '=', lead.id),
);

/** Adds one paid order. Resolves to the number of rows changed, 0 or 1. */
export async function addPaid(tx: Tx, leadId: Id<'led'>, amount: Cents): Promise<number> {
  return (await addPaidTo(tx, { leadId, amount })).length;
}

const addPaidTo = prepared((db, { leadId, amount }: { leadId: Id<'led'>; amount: Cents }) =>
  db
    .updateTable('leads')
    .set((eb) => ({ paid_count: eb('paid_count', '+', 1), paid_cents: eb('paid_cents', '+', amount) }))
    .where('id', '=', leadId)
    .returning('id'),
);

/** The merchant's leads in the order of their making, after the one named, at most `limit`. */
export async function selectLeads(
  db: Queryable,
  merchantId: Id<'mer'>,
  page: { after: string | null; limit: number },
): Promise<LeadTable[]> {
  let query = db.selectFrom('leads').selectAll().where('merchant_id', '=', merchantId);
  if (page.after !== null) query = query.where('id', '>', page.after as Id<'led'>);
  return query.orderBy('id').limit(page.limit).execute();
}

/** Some leads, by their ids. */
export async function selectLeadsById(
  db: Queryable,
  ids: readonly Id<'led'>[],
): Promise<Map<Id<'led'>, LeadTable>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('leads').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
