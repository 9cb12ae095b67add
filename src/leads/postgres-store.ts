import { type Expression, sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { recordset, recordsOf } from '../db/recordset.ts';
import type { LeadTable } from '../db/tables/leads.ts';
import type { Id } from '../kernel/ids.ts';
import type { SeenRow } from './store.ts';

const COLUMNS = {
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
} as const satisfies Record<keyof SeenRow, string>;
const NAMES = Object.keys(COLUMNS) as (keyof SeenRow)[];
/** An order replaces these where it has a value. */
const REPLACED = ['email', 'phone', 'name', 'items', 'tracking', 'campaign'] as const;

/** Does what `upsertLead` does for many orders. Resolves to the leads' ids in the same order. */
export async function upsertLeads(tx: Tx, leads: readonly SeenRow[]): Promise<Id<'led'>[]> {
  const ids = new Map<string, Id<'led'>>();
  for (const distinct of byRound(leads)) {
    const known = await upsertDistinct(tx, { records: recordsOf(distinct) });
    for (const lead of known) ids.set(keyOf(lead), lead.id);
  }
  return leads.map((lead) => {
    const id = ids.get(keyOf(lead));
    if (id === undefined) throw new Error('a lead was neither inserted nor updated');
    return id;
  });
}

/** One statement can change a lead once, so a lead's second order is in the second round. */
function byRound(leads: readonly SeenRow[]): SeenRow[][] {
  const rounds: SeenRow[][] = [];
  const seen = new Map<string, number>();
  for (const lead of leads) {
    const round = seen.get(keyOf(lead)) ?? 0;
    seen.set(keyOf(lead), round + 1);
    rounds[round] ??= [];
    rounds[round].push(lead);
  }
  return rounds;
}

function keyOf({ merchant_id, identity }: Pick<LeadTable, 'merchant_id' | 'identity'>): string {
  return `${merchant_id} ${identity}`;
}

/** In one order everywhere, so that transactions which write the same leads do not deadlock. */
const upsertDistinct = prepared((db, { records }: { records: string }) =>
  db
    .insertInto('leads')
    .columns([...NAMES, 'orders_count', 'paid_count', 'paid_cents'])
    .expression(
      sql`select ${sql.join(NAMES.map((name) => sql.ref(name)))}, 1, 0, 0
        from ${recordset(db, records, COLUMNS)} order by merchant_id, identity` as Expression<never>,
    )
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'identity']).doUpdateSet((eb) => ({
        ...Object.fromEntries(
          REPLACED.map((name) => [name, eb.fn.coalesce(`excluded.${name}`, `leads.${name}`)]),
        ),
        last_seen_at: eb.ref('excluded.last_seen_at'),
        orders_count: eb('leads.orders_count', '+', 1),
        asked_cents: eb('leads.asked_cents', '+', eb.ref('excluded.asked_cents')),
      })),
    )
    .returning(['leads.id', 'leads.merchant_id', 'leads.identity']),
);
