import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { namesOf, recordsOf, selectRecords } from '../db/recordset.ts';
import type { LeadTable } from '../db/tables/leads.ts';
import type { Id } from '../kernel/ids.ts';
import { SEEN_COLUMNS, type SeenRow } from './store.ts';

/** The orders of one lead. */
type Orders = SeenRow & Pick<LeadTable, 'orders_count'>;

const COLUMNS = { ...SEEN_COLUMNS, orders_count: 'bigint' } as const;
/** The columns that an order replaces when it has a value. */
const REPLACED = ['email', 'phone', 'name', 'items', 'tracking', 'campaign'] as const;

/** Inserts or updates the leads of many orders, as `upsertLead` does for one. Resolves to the leads' ids in the same order. */
export async function upsertLeads(tx: Tx, leads: readonly SeenRow[]): Promise<Id<'led'>[]> {
  if (leads.length === 0) return [];
  // One statement can change a lead only once.
  const distinct = [...Map.groupBy(leads, keyOf).values()].map(ordersOf);
  const known = await upsertDistinct(tx, { records: recordsOf(distinct) });
  const ids = new Map(known.map((lead) => [keyOf(lead), lead.id]));
  return leads.map((lead) => {
    const id = ids.get(keyOf(lead));
    if (id === undefined) throw new Error('a lead was neither inserted nor updated');
    return id;
  });
}

/** Adds up the orders of one lead, oldest first. */
function ordersOf([first, ...later]: readonly SeenRow[]): Orders {
  if (first === undefined) throw new RangeError('no orders');
  const sum: Orders = { ...first, orders_count: 1 };
  for (const lead of later) {
    for (const name of REPLACED) sum[name] = lead[name] ?? sum[name];
    sum.last_seen_at = lead.last_seen_at;
    sum.asked_cents += lead.asked_cents;
    sum.orders_count++;
  }
  return sum;
}

function keyOf({ merchant_id, identity }: Pick<LeadTable, 'merchant_id' | 'identity'>): string {
  return `${merchant_id} ${identity}`;
}

/** Sorted, so that transactions that write the same leads do not deadlock. */
const upsertDistinct = prepared((db, { records }: { records: string }) =>
  db
    .insertInto('leads')
    .columns([...namesOf(COLUMNS), 'paid_count', 'paid_cents'])
    .expression(
      sql<never>`${selectRecords(db, records, COLUMNS, sql.lit(0), sql.lit(0))} order by merchant_id, identity`,
    )
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'identity']).doUpdateSet((eb) => ({
        ...Object.fromEntries(
          REPLACED.map((name) => [name, eb.fn.coalesce(`excluded.${name}`, `leads.${name}`)]),
        ),
        last_seen_at: eb.ref('excluded.last_seen_at'),
        orders_count: eb('leads.orders_count', '+', eb.ref('excluded.orders_count')),
        asked_cents: eb('leads.asked_cents', '+', eb.ref('excluded.asked_cents')),
      })),
    )
    .returning(['leads.id', 'leads.merchant_id', 'leads.identity']),
);
