import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { Tables } from '../../db/tables/tables.ts';
import type { Id } from '../../kernel/ids.ts';
import { phoneKey } from '../../kernel/person-keys.ts';
import type { Condition, Wanted } from './search-text.ts';

/** Whose transactions: one merchant's, or, for the operator alone, everybody's (null). */
export type Scope = Id<'mer'> | null;

type Rows = ExpressionBuilder<Tables, 'transactions'>;

/** The text of the partial indexes over receipts that wait for people. */
export const OPEN_RECEIPT = sql<SqlBool>`settlement is null and late + duplicate + under + over + unmatched > 0`;

/** Sorts behind everything that begins with the same characters. */
const LAST = '\u{10ffff}';

/**
 * The transactions that a condition names, at most `limit` of them, in no order, read from the index that is made for it.
 * Over all merchants that index is asked once for each of them.
 */
export async function probe(
  db: Queryable,
  scope: Scope,
  condition: Condition,
  limit: number,
): Promise<Id<'tx'>[]> {
  const rows = await probeRows(db, scope, condition, limit);
  return rows.map(({ id }) => id).filter((id) => id !== null);
}

async function probeRows(
  db: Queryable,
  scope: Scope,
  condition: Condition,
  limit: number,
): Promise<{ id: Id<'tx'> | null }[]> {
  switch (condition.kind) {
    case 'id':
    case 'held':
      return await transactionsProbe(db, scope, condition).limit(limit).execute();
    case 'order':
      return await ordersProbe(db, scope, condition).limit(limit).execute();
    case 'phone':
    case 'reference':
      return await attemptsProbe(db, scope, condition).limit(limit).execute();
    case 'customer-phone':
    case 'email':
      return await leadsProbe(db, scope, condition).limit(limit).execute();
    case 'attention': {
      const query = db.selectFrom('receipts').select('transaction_id as id').where(OPEN_RECEIPT);
      return await (scope === null ? query : query.where('merchant_id', '=', scope)).limit(limit).execute();
    }
  }
}

type Of<Kind extends Condition['kind']> = Extract<Condition, { kind: Kind }>;

function transactionsProbe(db: Queryable, scope: Scope, condition: Of<'id' | 'held'>) {
  const query = db.selectFrom('transactions').select('id');
  const owned = scope === null ? query : query.where('merchant_id', '=', scope);
  // A literal: only then may the engines use the partial index.
  if (condition.kind === 'held') return owned.where('held', '=', sql.lit(1));
  return owned
    .where('id', '>=', condition.prefix as Id<'tx'>)
    .where('id', '<', `${condition.prefix}${LAST}` as Id<'tx'>);
}

/** A range of the index for each spelling: for one condition with `or`, SQLite reads all orders of the merchant. */
function ordersProbe(db: Queryable, scope: Scope, { prefixes: [first, ...others] }: Of<'order'>) {
  const range = (prefix: string) =>
    db
      .selectFrom('transactions')
      .select('id')
      .where(ownedBy(scope, 'merchant_id'))
      .where('order_id', '>=', prefix)
      .where('order_id', '<', `${prefix}${LAST}`);
  return others.reduce((all, prefix) => all.unionAll(range(prefix)), range(first));
}

function attemptsProbe(db: Queryable, scope: Scope, condition: Of<'phone' | 'reference'>) {
  const query = db.selectFrom('attempts').select('transaction_id as id').where(ownedBy(scope, 'merchant_id'));
  if (condition.kind === 'phone') return query.where('phone_number', '=', condition.phone);
  const referred = query.where('reference', '=', condition.reference);
  return condition.entity === null ? referred : referred.where('entity', '=', condition.entity);
}

function leadsProbe(db: Queryable, scope: Scope, condition: Of<'customer-phone' | 'email'>) {
  const query = db
    .selectFrom('leads')
    .innerJoin('transactions', 'transactions.lead_id', 'leads.id')
    .select('transactions.id as id')
    .where(ownedBy(scope, 'leads.merchant_id'));
  if (condition.kind === 'customer-phone') {
    return query.where('leads.phone_key', '=', phoneKey(condition.phone));
  }
  return query
    .where('leads.identity', '>=', `email:${condition.prefix}`)
    .where('leads.identity', '<', `email:${condition.prefix}${LAST}`);
}

/** The search indexes begin with the merchant: over all, each is asked for its own. */
function ownedBy(scope: Scope, column: string): Expression<SqlBool> {
  return scope === null
    ? sql<SqlBool>`${sql.ref(column)} in (select id from merchants)`
    : sql<SqlBool>`${sql.ref(column)} = ${scope}`;
}

function beginsWith(eb: Rows, text: Expression<string>, prefix: string): Expression<SqlBool> {
  return eb.and([eb(text, '>=', prefix), eb(text, '<', `${prefix}${LAST}`)]);
}

/** The same of a row at hand: whether it is among what is wanted. */
export function fits(eb: Rows, wanted: Wanted): Expression<SqlBool> {
  if ('any' in wanted) return eb.or(wanted.any.map((each) => fits(eb, each)));
  if ('all' in wanted) return eb.and(wanted.all.map((each) => fits(eb, each)));
  switch (wanted.kind) {
    case 'id':
      return eb.and([
        eb('transactions.id', '>=', wanted.prefix as Id<'tx'>),
        eb('transactions.id', '<', `${wanted.prefix}${LAST}` as Id<'tx'>),
      ]);
    case 'phone':
      return eb.exists(attemptsOf(eb).where('attempts.phone_number', '=', wanted.phone));
    case 'customer-phone':
      return eb.exists(leadOf(eb).where('leads.phone_key', '=', phoneKey(wanted.phone)));
    case 'reference': {
      const query = attemptsOf(eb).where('attempts.reference', '=', wanted.reference);
      return eb.exists(wanted.entity === null ? query : query.where('attempts.entity', '=', wanted.entity));
    }
    case 'order': {
      // Whoever walks the list must keep to its index: this one's would find all that are so common, wherever they are.
      const orderId = sql<string>`transactions.order_id || ''`;
      return eb.or(wanted.prefixes.map((prefix) => beginsWith(eb, orderId, prefix)));
    }
    case 'email':
      return eb.exists(
        leadOf(eb)
          .where('leads.identity', '>=', `email:${wanted.prefix}`)
          .where('leads.identity', '<', `email:${wanted.prefix}${LAST}`),
      );
    case 'attention':
      return eb.exists(
        eb
          .selectFrom('receipts')
          .select('receipts.id')
          .whereRef('receipts.transaction_id', '=', 'transactions.id')
          .where(OPEN_RECEIPT),
      );
    case 'held':
      return eb('transactions.held', '=', 1);
  }
}

function attemptsOf(eb: Rows) {
  return eb
    .selectFrom('attempts')
    .select('attempts.id')
    .whereRef('attempts.transaction_id', '=', 'transactions.id');
}

function leadOf(eb: Rows) {
  return eb.selectFrom('leads').select('leads.id').whereRef('leads.id', '=', 'transactions.lead_id');
}
