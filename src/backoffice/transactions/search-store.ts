import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';
import { phoneKey } from '../../kernel/person-keys.ts';
import type { Condition, Wanted } from './search-text.ts';

/** The merchant whose transactions are searched; null for all merchants (operators only). */
export type Scope = Id<'mer'> | null;

/** As in the partial indexes over open receipts. */
export const OPEN_RECEIPT = sql<SqlBool>`settlement is null and late + duplicate + under + over + unmatched > 0`;

/** Sorts after every text with the same beginning. */
const LAST = '\u{10ffff}';
/** A condition that finds more rows than this is not resolved by its index. */
const COMMON_ROWS = 1000;

type Table = 'transactions' | 'attempts' | 'leads' | 'receipts';

/** The sources of a condition's index lookup, and their column with the transaction's id. */
const SOURCES: Record<Table, { from: RawBuilder<unknown>; id: string }> = {
  transactions: { from: sql`transactions`, id: 'transactions.id' },
  attempts: { from: sql`attempts`, id: 'attempts.transaction_id' },
  receipts: { from: sql`receipts`, id: 'receipts.transaction_id' },
  leads: {
    from: sql`leads inner join transactions on transactions.lead_id = leads.id`,
    id: 'transactions.id',
  },
};

interface Clause {
  table: Table;
  where: RawBuilder<SqlBool>;
  /** Whether the index of the condition starts with the merchant. */
  byMerchant: boolean;
}

function clauseOf(condition: Condition): Clause {
  switch (condition.kind) {
    case 'id':
      return {
        table: 'transactions',
        where: beginsWith('transactions.id', condition.prefix),
        byMerchant: false,
      };
    case 'held':
      return { table: 'transactions', where: sql`transactions.held = 1`, byMerchant: false };
    case 'attention':
      return { table: 'receipts', where: OPEN_RECEIPT, byMerchant: false };
    case 'order': {
      const where = beginsWith('transactions.order_id', condition.prefix);
      return { table: 'transactions', where, byMerchant: true };
    }
    case 'phone':
      return { table: 'attempts', where: sql`attempts.phone_number = ${condition.phone}`, byMerchant: true };
    case 'reference': {
      const { entity, reference } = condition;
      const same = sql<SqlBool>`attempts.reference = ${reference}`;
      const where = entity === null ? same : sql<SqlBool>`${same} and attempts.entity = ${entity}`;
      return { table: 'attempts', where, byMerchant: true };
    }
    case 'customer-phone':
      return { table: 'leads', where: sql`leads.phone_key = ${phoneKey(condition.phone)}`, byMerchant: true };
    case 'email': {
      const where = beginsWith('leads.identity', `email:${condition.prefix}`);
      return { table: 'leads', where, byMerchant: true };
    }
  }
}

function beginsWith(column: string, prefix: string): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} >= ${prefix} and ${sql.ref(column)} < ${prefix + LAST}`;
}

/** Whether a row of transactions matches. */
export function matches(wanted: Wanted): RawBuilder<SqlBool> {
  if ('any' in wanted) return sql`(${sql.join(wanted.any.map(matches), sql` or `)})`;
  if ('all' in wanted) return sql`(${sql.join(wanted.all.map(matches), sql` and `)})`;
  if (wanted.kind === 'order') {
    // The concatenation keeps the engine from using the index on order_id instead of the one on id.
    const orderId = sql`transactions.order_id || ''`;
    return sql`(${orderId} >= ${wanted.prefix} and ${orderId} < ${wanted.prefix + LAST})`;
  }
  const { table, where } = clauseOf(wanted);
  if (table === 'transactions') return sql`(${where})`;
  const link =
    table === 'leads'
      ? sql`leads.id = transactions.lead_id`
      : sql`${sql.ref(SOURCES[table].id)} = transactions.id`;
  return sql`exists (select 1 from ${sql.table(table)} where ${link} and ${where})`;
}

/** Looks up at most `limit` transactions that match a condition in its index, once per merchant for all merchants. */
async function lookUp(db: Queryable, scope: Scope, condition: Condition, limit: number): Promise<Id<'tx'>[]> {
  const { table, where, byMerchant } = clauseOf(condition);
  const { from, id } = SOURCES[table];
  const merchantId = sql.ref(`${table}.merchant_id`);
  const owned =
    scope === null ? sql`${merchantId} in (select id from merchants)` : sql`${merchantId} = ${scope}`;
  const needsOwner = scope !== null || byMerchant;
  const { rows } = await sql<{ id: Id<'tx'> | null }>`
    select ${sql.ref(id)} as id from ${from}
    where ${needsOwner ? sql`${owned} and ${where}` : where} limit ${limit}`.execute(db);
  return rows.flatMap((row) => row.id ?? []);
}

/** The transactions that can match. Unless `exact`, each of them must still be checked with `matches`. */
interface Found {
  ids: Set<Id<'tx'>>;
  exact: boolean;
}

/** Resolves a search by indexes; null when it matches too many rows. */
export async function resolveWanted(db: Queryable, scope: Scope, wanted: Wanted): Promise<Found | null> {
  if ('all' in wanted) {
    // One condition that matches few rows is enough.
    for (const each of wanted.all) {
      const found = await resolveWanted(db, scope, each);
      if (found !== null) return { ids: found.ids, exact: found.exact && wanted.all.length === 1 };
    }
    return null;
  }
  if ('any' in wanted) {
    const all: Found = { ids: new Set(), exact: true };
    for (const each of wanted.any) {
      const found = await resolveWanted(db, scope, each);
      if (found === null) return null;
      for (const id of found.ids) all.ids.add(id);
      all.exact &&= found.exact;
    }
    return all;
  }
  const ids = await lookUp(db, scope, wanted, COMMON_ROWS + 1);
  return ids.length > COMMON_ROWS ? null : { ids: new Set(ids), exact: true };
}
