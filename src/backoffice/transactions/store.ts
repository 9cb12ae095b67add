import { type SqlBool, sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { PaymentMethod, TransactionStatus } from '../../db/tables/payments.ts';
import type { Id } from '../../kernel/ids.ts';
import { VISIBLE } from '../../payments/store.ts';
import type { IdRange } from '../../search/source-store.ts';
import { type Condition, hasReceipt, matches, type Scope } from './search-store.ts';

const COLUMNS = [
  ...(['id', 'merchant_id', 'order_id', 'session_id', 'amount_cents', 'status', 'held'] as const),
  ...(['paid_at', 'paid_method', 'paid_attempt_id', 'shown_attempt_id', 'customer', 'created_at'] as const),
] as const;

export type ListRow = Awaited<ReturnType<typeof rowsOfIds>>[number];
export type ListReceipt = Awaited<ReturnType<typeof receiptsOfPage>>[number];
export type ListAttempt = Awaited<ReturnType<typeof attemptsOfPage>>[number];

/** Conditions of a row, all of which must match; null for none. */
export interface Narrowing {
  state: TransactionStatus | null;
  method: PaymentMethod | null;
  conditions: readonly Condition[];
  /** Excludes held transactions without an open short payment. The merchant sees no other receipts of a held transaction. */
  unheld: boolean;
}

/** The rows of a span that match, newest first. Bound the span with `rowBack` before narrowing. */
export async function rowsOfSpan(
  db: Queryable,
  scope: Scope,
  span: IdRange,
  narrowing: Narrowing,
  limit: number,
) {
  return await narrowed(db, scope, narrowing)
    .where('transactions.id', '<', span.before as Id<'tx'>)
    .where('transactions.id', '>=', span.from as Id<'tx'>)
    .orderBy('transactions.id', 'desc')
    .limit(limit)
    .execute();
}

/** The rows with these ids that match, newest first. */
export async function rowsOfIds(db: Queryable, scope: Scope, ids: readonly Id<'tx'>[], narrowing: Narrowing) {
  if (ids.length === 0) return [];
  return await narrowed(db, scope, narrowing)
    .where('transactions.id', 'in', ids)
    .orderBy('transactions.id', 'desc')
    .execute();
}

const OPEN_SHORT = sql<SqlBool>`receipts.settlement is null and receipts.under = 1`;
const HAS_VISIBLE = sql<SqlBool>`(transactions.held = 0 or ${hasReceipt(OPEN_SHORT)})`;

function narrowed(db: Queryable, scope: Scope, { state, method, conditions, unheld }: Narrowing) {
  let query = db.selectFrom('transactions').select(COLUMNS);
  if (scope !== null) query = query.where('transactions.merchant_id', '=', scope);
  if (state !== null) query = query.where('transactions.status', '=', state);
  if (unheld) query = query.where(HAS_VISIBLE);
  for (const condition of conditions) query = query.where(matches(condition));
  if (method === null) return query;
  return query.where((eb) =>
    eb.or([
      eb.and([eb('transactions.status', '=', 'paid'), eb('transactions.paid_method', '=', method)]),
      eb.and([
        eb('transactions.status', '<>', 'paid'),
        eb.exists(
          eb
            .selectFrom('attempts')
            .select('attempts.id')
            .whereRef('attempts.transaction_id', '=', 'transactions.id')
            .where('attempts.method', '=', method),
        ),
      ]),
    ]),
  );
}

/** The row `rows` places back in the span; null when the span ends before it. */
export async function rowBack(db: Queryable, scope: Scope, span: IdRange, rows: number) {
  let query = db
    .selectFrom('transactions')
    .select('id')
    .where('id', '<', span.before as Id<'tx'>)
    .where('id', '>=', span.from as Id<'tx'>);
  if (scope !== null) query = query.where('merchant_id', '=', scope);
  const place = await query
    .orderBy('id', 'desc')
    .limit(1)
    .offset(rows - 1)
    .executeTakeFirst();
  if (place === undefined) return null;
  return { id: place.id, createdAt: await createdAtOf(db, place.id) };
}

export async function createdAtOf(db: Queryable, id: Id<'tx'>): Promise<number> {
  const row = await db
    .selectFrom('transactions')
    .select('created_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.created_at;
}

/** The maximum number of attempts, and of receipts, that are read for a page. */
const OF_PAGE_MAX = 2000;

/** The newest attempts of these transactions, newest first. */
export async function attemptsOfPage(db: Queryable, ids: readonly Id<'tx'>[]) {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('attempts')
    .select(['id', 'transaction_id', 'method', 'state', 'accepted', 'phone_number', 'entity', 'reference'])
    .where('transaction_id', 'in', ids)
    .orderBy('id', 'desc')
    .limit(OF_PAGE_MAX)
    .execute();
}

/** The receipts of these transactions; with `unheld`, of held ones only those that their merchant sees. */
export async function receiptsOfPage(
  db: Queryable,
  ids: readonly Id<'tx'>[],
  { unheld }: { unheld: boolean },
) {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('receipts')
    .select(['receipts.transaction_id', 'late', 'duplicate', 'under', 'over', 'settlement'])
    .select(['receipts.amount_cents', 'refund_cents', 'returned_cents'])
    .where('receipts.transaction_id', 'in', ids)
    .$if(unheld, (query) =>
      query.innerJoin('transactions', 'transactions.id', 'receipts.transaction_id').where(VISIBLE),
    )
    .limit(OF_PAGE_MAX)
    .execute();
}

/** The maximum number of index rows that are read to find the lowest and the highest of their ids. */
const PAID_MAX = 50_000;

/** The lowest and the highest id of the transactions that were paid between these instants; null when there are too many, or none. */
export async function paidEnds(
  db: Queryable,
  scope: Scope,
  { from, before }: { from: number; before: number },
): Promise<{ first: Id<'tx'>; last: Id<'tx'> } | null> {
  const rows = db
    .selectFrom('transactions')
    .select('id')
    .where('paid_at', '>=', from)
    .where('paid_at', '<', before)
    .limit(PAID_MAX);
  const paid = rows.where((eb) =>
    scope !== null
      ? eb('merchant_id', '=', scope)
      : // The index begins with the merchant.
        eb('merchant_id', 'in', eb.selectFrom('merchants').select('merchants.id')),
  );
  const row = await db
    .selectFrom(paid.as('paid'))
    .select(({ fn }) => [
      fn.min('id').as('first'),
      fn.max('id').as('last'),
      fn.countAll<number>().as('count'),
    ])
    .executeTakeFirst();
  const { first = null, last = null, count = 0 } = row ?? {};
  if (first === null || last === null || Number(count) === PAID_MAX) return null;
  return { first, last };
}

/** The maximum number of totals (one per day and method) that are added up for all merchants. */
const TOTALS_MAX = 50_000;

/**
 * The sales that the bank received from `from` to `to`, both inclusive, by one method or all. With `more` there are others, which were
 * not counted.
 */
export async function paidOnDays(
  db: Queryable,
  scope: Scope,
  range: { from: string; to: string; method: PaymentMethod | null },
) {
  let totals = db
    .selectFrom('daily_method_totals')
    .select(['paid_count', 'paid_cents'])
    .where('day', '>=', range.from)
    .where('day', '<=', range.to);
  if (range.method !== null) totals = totals.where('method', '=', range.method);
  totals =
    scope !== null
      ? totals.where('merchant_id', '=', scope)
      : totals
          // The key begins with the merchant.
          .where('merchant_id', 'in', (eb) => eb.selectFrom('merchants').select('merchants.id'))
          .limit(TOTALS_MAX);
  const row = await db
    .selectFrom(totals.as('totals'))
    .select(({ fn }) => [fn.countAll<number>().as('totals'), fn.sum<number>('paid_count').as('count')])
    .select(({ fn }) => fn.sum<number>('paid_cents').as('cents'))
    .executeTakeFirst();
  return {
    count: Number(row?.count ?? 0),
    cents: Number(row?.cents ?? 0),
    more: scope === null && Number(row?.totals ?? 0) === TOTALS_MAX,
  };
}

export async function createdOnDays(
  db: Queryable,
  merchantId: Id<'mer'>,
  range: { from: string; to: string },
) {
  const row = await db
    .selectFrom('daily_totals')
    .select(sql<number>`sum(created_count)`.as('count'))
    .where('merchant_id', '=', merchantId)
    .where('day', '>=', range.from)
    .where('day', '<=', range.to)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
