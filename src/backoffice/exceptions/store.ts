import { type SqlBool, sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { TransactionStatus } from '../../db/tables/tables.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import type { ReceiptFlag, ReceiptRow } from '../../payments/store.ts';

/** A receipt that needs or needed somebody, with its transaction and merchant where it has them. */
export type CaseRow = Omit<ReceiptRow, 'record' | 'identity'> & {
  merchant_name: string | null;
  order_id: string | null;
  due_cents: Cents | null;
  status: TransactionStatus | null;
  held: 0 | 1 | null;
};

export interface CaseQuery {
  /** Only receipts of this merchant's sales that it may know of; null for the operator, over all. */
  viewer: Id<'mer'> | null;
  merchantId: Id<'mer'> | null;
  flag: ReceiptFlag | null;
  settled: boolean;
  /** UTC milliseconds: only what was recorded before. */
  recordedBefore: number | null;
  after: Id<'rcp'> | null;
  limit: number;
}

// Written as the partial indexes have it, and with literals: only then may the engines use them.
const OPEN = sql<SqlBool>`receipts.settlement is null`;
const FLAGGED = sql<SqlBool>`receipts.late + receipts.duplicate + receipts.under + receipts.over + receipts.unmatched > 0`;
const SETTLED = sql<SqlBool>`receipts.settlement is not null`;
/** Of a sale that is held its merchant knows only what came before the money that is held: what was too little. */
export const KNOWN = sql<SqlBool>`(transactions.held = 0 or receipts.under = 1)`;

/** A page of the inbox: open ones the oldest first, settled ones the newest first. */
export async function caseRows(db: Queryable, query: CaseQuery): Promise<CaseRow[]> {
  let rows = cases(db);
  rows = query.settled ? rows.where(SETTLED) : rows.where(OPEN);
  const { flag, viewer, after } = query;
  if (flag !== null) rows = rows.where(`receipts.${flag}`, '=', sql.lit(1));
  else if (!query.settled) rows = rows.where(FLAGGED);
  const merchantId = viewer ?? query.merchantId;
  if (merchantId !== null) rows = rows.where('receipts.merchant_id', '=', merchantId);
  if (viewer !== null) rows = rows.where(KNOWN);
  if (query.recordedBefore !== null) rows = rows.where('receipts.recorded_at', '<', query.recordedBefore);
  if (after !== null) rows = rows.where('receipts.id', query.settled ? '<' : '>', after);
  return rows
    .orderBy('receipts.id', query.settled ? 'desc' : 'asc')
    .limit(query.limit)
    .execute();
}

/** One of them; for a merchant only of its own sales, as far as it may know of them. */
export async function caseRow(
  db: Queryable,
  id: Id<'rcp'>,
  viewer: Id<'mer'> | null,
): Promise<CaseRow | undefined> {
  let row = cases(db).where('receipts.id', '=', id);
  if (viewer !== null) row = row.where('receipts.merchant_id', '=', viewer).where(KNOWN);
  return row.executeTakeFirst();
}

function cases(db: Queryable) {
  return db
    .selectFrom('receipts')
    .leftJoin('transactions', 'transactions.id', 'receipts.transaction_id')
    .leftJoin('merchants', 'merchants.id', 'receipts.merchant_id')
    .select([
      'receipts.id',
      'receipts.transaction_id',
      'receipts.attempt_id',
      'receipts.merchant_id',
      'receipts.account_id',
      'receipts.method',
      'receipts.amount_cents',
      'receipts.paid_at',
      'receipts.recorded_at',
      'receipts.late',
      'receipts.duplicate',
      'receipts.under',
      'receipts.over',
      'receipts.unmatched',
      'receipts.request_id',
      'receipts.bank_order_id',
      'receipts.entity',
      'receipts.reference',
      'receipts.settled_at',
      'receipts.settlement',
      'receipts.returned_cents',
      'merchants.name as merchant_name',
      'transactions.order_id',
      'transactions.amount_cents as due_cents',
      'transactions.status',
      'transactions.held',
    ]);
}

/** The row of the bank's list as it was read, JSON. */
export async function bankRow(db: Queryable, id: Id<'rcp'>): Promise<string | null> {
  const row = await db.selectFrom('receipts').select('record').where('id', '=', id).executeTakeFirst();
  return row?.record ?? null;
}

export interface OpenCount {
  /** At most the bound that was asked for. */
  count: number;
  /** When the oldest was recorded; null when there is none. */
  oldestAt: number | null;
}

/** How many wait for somebody, counted up to `max`, and since when the oldest does. */
export async function countOpen(
  db: Queryable,
  viewer: Id<'mer'> | null,
  flag: ReceiptFlag | null,
  max: number,
): Promise<OpenCount> {
  let rows = db
    .selectFrom('receipts')
    .leftJoin('transactions', 'transactions.id', 'receipts.transaction_id')
    .select(['receipts.id', 'receipts.recorded_at'])
    .where(OPEN);
  rows = flag === null ? rows.where(FLAGGED) : rows.where(`receipts.${flag}`, '=', sql.lit(1));
  if (viewer !== null) {
    rows = rows.where('receipts.merchant_id', '=', viewer).where(KNOWN);
  }
  const row = await db
    .selectFrom(rows.orderBy('receipts.id').limit(max).as('open'))
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.min('open.recorded_at').as('oldest')])
    .executeTakeFirst();
  const oldest = row?.oldest ?? null;
  return { count: Number(row?.count ?? 0), oldestAt: oldest === null ? null : Number(oldest) };
}

/** Whose account at the bank the money came by; null for the platform's own. */
export async function accountOwner(db: Queryable, id: Id<'acc'>): Promise<Id<'mer'> | null> {
  const row = await db
    .selectFrom('bank_accounts')
    .select('merchant_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.merchant_id ?? null;
}

/** A transaction that money may belong to. */
export interface CandidateRow {
  id: Id<'tx'>;
  merchant_id: Id<'mer'>;
  merchant_name: string;
  merchant_hold: 0 | 1;
  order_id: string;
  amount_cents: Cents;
  status: TransactionStatus;
  held: 0 | 1;
  created_at: number;
}

/** These transactions, as candidates. */
export async function candidateRows(db: Queryable, ids: readonly Id<'tx'>[]): Promise<CandidateRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('transactions')
    .innerJoin('merchants', 'merchants.id', 'transactions.merchant_id')
    .select([
      'transactions.id',
      'transactions.merchant_id',
      'merchants.name as merchant_name',
      'merchants.hold as merchant_hold',
      'transactions.order_id',
      'transactions.amount_cents',
      'transactions.status',
      'transactions.held',
      'transactions.created_at',
    ])
    .where('transactions.id', 'in', ids)
    .execute();
}

/** References are rarely given out again; so many are looked at. */
const SAME_DIGITS_MAX = 100;

/** The transactions whose reference has these digits, newest first; one look into the index for each merchant. */
export async function transactionsOfReference(
  db: Queryable,
  digits: { entity: string; reference: string },
  owner: Id<'mer'> | null,
  limit: number,
): Promise<Id<'tx'>[]> {
  const attempts = db
    .selectFrom('attempts')
    .select('transaction_id as id')
    .where('reference', '=', digits.reference)
    .where('entity', '=', digits.entity);
  const found = await (owner === null
    ? attempts.where('merchant_id', 'in', (eb) => eb.selectFrom('merchants').select('merchants.id'))
    : attempts.where('merchant_id', '=', owner)
  )
    // Sorted here: an engine that sorts by an index would read all attempts for it.
    .limit(SAME_DIGITS_MAX)
    .execute();
  return found
    .map((row) => row.id)
    .sort()
    .reverse()
    .slice(0, limit);
}

/** The transactions that the bank's request id leads to. */
export async function transactionsOfRequest(db: Queryable, requestId: string): Promise<Id<'tx'>[]> {
  const rows = await db
    .selectFrom('attempts')
    .select('transaction_id as id')
    .where('request_id', '=', requestId)
    .limit(5)
    .execute();
  return rows.map((row) => row.id);
}

export interface Nearby {
  /** Ids made from here on, and before there. */
  from: Id<'tx'>;
  to: Id<'tx'>;
  owner: Id<'mer'> | null;
  amount: Cents;
  /** How many transactions are looked through, newest first: the amount has no index, which every init would have to feed. */
  lookedThroughMax: number;
  limit: number;
}

/** Transactions of exactly this amount that are not paid and were made about that time, newest first. */
export async function transactionsNearby(db: Queryable, near: Nearby): Promise<Id<'tx'>[]> {
  let rows = db
    .selectFrom('transactions')
    .select(['id', 'amount_cents', 'status'])
    .where('id', '>=', near.from)
    .where('id', '<', near.to);
  if (near.owner !== null) rows = rows.where('merchant_id', '=', near.owner);
  const found = await db
    .selectFrom(rows.orderBy('id', 'desc').limit(near.lookedThroughMax).as('near'))
    .select('near.id')
    .where('near.amount_cents', '=', near.amount)
    .where('near.status', '!=', 'paid')
    .orderBy('near.id', 'desc')
    .limit(near.limit)
    .execute();
  return found.map((row) => row.id);
}
