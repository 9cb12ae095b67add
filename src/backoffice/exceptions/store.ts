import { type SqlBool, sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import { FLAGGED, type ReceiptFlag, VISIBLE } from '../../payments/store.ts';

/** A receipt that needs or needed attention, with its transaction and merchant, if any. */
export type CaseRow = Awaited<ReturnType<typeof caseRows>>[number];

/** A case for its own page. `account_owner` is null for the platform's account. */
export type FullCaseRow = NonNullable<Awaited<ReturnType<typeof caseRow>>>;

export interface CasePlace {
  id: Id<'rcp'>;
  /** UTC milliseconds; only for resolved cases. */
  settledAt: number;
}

/** Whose cases, and for whom. */
export interface CaseScope {
  /** Only receipts that this merchant may see; null for operators. */
  viewer: Id<'mer'> | null;
  ofMerchant?: Id<'mer'> | undefined;
}

export interface CaseFilter extends CaseScope {
  state: 'open' | 'settled';
  flag?: ReceiptFlag | undefined;
}

interface CasePage {
  after: CasePlace | null;
  limit: number;
}

// Identical to the conditions of the partial indexes, with literals; otherwise the engines do not use these indexes.
const OPEN = sql<SqlBool>`receipts.settlement is null`;
const SETTLED = sql<SqlBool>`receipts.settlement is not null`;

/** A page of cases: open ones by recording, oldest first; settled ones by settling, newest first. */
export function caseRows(db: Queryable, filter: CaseFilter, page: CasePage) {
  return filtered(db, filter, page).execute();
}

function filtered(db: Queryable, filter: CaseFilter, { after, limit }: CasePage) {
  const { flag, viewer } = filter;
  const isOpen = filter.state === 'open';
  const merchantId = viewer ?? filter.ofMerchant;
  let rows = cases(db).where(isOpen ? OPEN : SETTLED);
  if (flag !== undefined) rows = rows.where(`receipts.${flag}`, '=', sql.lit(1));
  // Implied by the flag. It selects the index of a merchant's open cases, which reads fewer rows than the index of the flag.
  if (isOpen && (flag === undefined || merchantId !== undefined)) rows = rows.where(FLAGGED);
  if (merchantId !== undefined) rows = rows.where('receipts.merchant_id', '=', merchantId);
  if (viewer !== null) rows = rows.where(VISIBLE);
  if (isOpen) {
    if (after !== null) rows = rows.where('receipts.id', '>', after.id);
    return rows.orderBy('receipts.id').limit(limit);
  }
  if (after !== null)
    rows = rows.where(sql<SqlBool>`(receipts.settled_at, receipts.id) < (${after.settledAt}, ${after.id})`);
  return rows.orderBy('receipts.settled_at', 'desc').orderBy('receipts.id', 'desc').limit(limit);
}

/** One case of the scope with the bank's record and the owner of the bank account. */
export function caseRow(db: Queryable, id: Id<'rcp'>, { viewer, ofMerchant }: CaseScope) {
  const merchantId = viewer ?? ofMerchant;
  let row = cases(db)
    .leftJoin('bank_accounts', 'bank_accounts.id', 'receipts.account_id')
    .select(['receipts.record', 'bank_accounts.merchant_id as account_owner', 'bank_accounts.acquirer'])
    .where('receipts.id', '=', id);
  if (merchantId !== undefined) row = row.where('receipts.merchant_id', '=', merchantId);
  if (viewer !== null) row = row.where(VISIBLE);
  return row.executeTakeFirst();
}

function cases(db: Queryable) {
  return db
    .selectFrom('receipts')
    .leftJoin('transactions', 'transactions.id', 'receipts.transaction_id')
    .leftJoin('merchants', 'merchants.id', 'receipts.merchant_id')
    .leftJoin('checkout_sessions', 'checkout_sessions.id', 'transactions.session_id')
    .leftJoin('payment_links', 'payment_links.id', 'checkout_sessions.link_id')
    .select(['receipts.id', 'receipts.transaction_id', 'receipts.attempt_id', 'receipts.merchant_id'])
    .select(['receipts.account_id', 'receipts.method', 'receipts.amount_cents', 'receipts.paid_at'])
    .select(['receipts.recorded_at', 'receipts.late', 'receipts.duplicate', 'receipts.under'])
    .select(['receipts.over', 'receipts.unmatched', 'receipts.request_id', 'receipts.bank_order_id'])
    .select(['receipts.entity', 'receipts.reference', 'receipts.settled_at', 'receipts.settlement'])
    .select(['receipts.returned_cents', 'merchants.name as merchant_name', 'transactions.order_id'])
    .select(['transactions.amount_cents as due_cents', 'transactions.status', 'transactions.held'])
    .select(['transactions.customer', 'payment_links.title as link_title']);
}

/** The sums of the open receipts of these transactions; for a merchant, only of receipts that it may see. */
export async function openSums(
  db: Queryable,
  ids: readonly Id<'tx'>[],
  viewer: Id<'mer'> | null,
): Promise<Map<Id<'tx'>, Cents>> {
  if (ids.length === 0) return new Map();
  let open = db
    .selectFrom('receipts')
    .innerJoin('transactions', 'transactions.id', 'receipts.transaction_id')
    .select((eb) => ['transactions.id', eb.fn.sum('receipts.amount_cents').as('cents')])
    .where('receipts.transaction_id', 'in', ids)
    .where(OPEN);
  if (viewer !== null) open = open.where(VISIBLE);
  const rows = await open.groupBy('transactions.id').execute();
  return new Map(rows.map((row) => [row.id, Number(row.cents) as Cents]));
}

/** The number and sum of at most `max` cases, and the recording time of the oldest one. */
export async function sumCases(db: Queryable, filter: CaseFilter, max: number) {
  const row = await db
    .selectFrom(filtered(db, filter, { after: null, limit: max }).as('open'))
    .select((eb) => [
      eb.fn.countAll().as('count'),
      eb.fn.min('open.recorded_at').as('oldest'),
      eb.fn.sum('open.amount_cents').as('cents'),
    ])
    .executeTakeFirst();
  const oldest = row?.oldest ?? null;
  return {
    count: Number(row?.count ?? 0),
    cents: Number(row?.cents ?? 0),
    oldestAt: oldest === null ? null : Number(oldest),
  };
}

export async function candidateRows(db: Queryable, ids: readonly Id<'tx'>[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('transactions')
    .innerJoin('merchants', 'merchants.id', 'transactions.merchant_id')
    .select(['transactions.id as transactionId', 'transactions.merchant_id', 'merchants.name'])
    .select(['merchants.hold', 'transactions.order_id as orderId', 'transactions.status'])
    .select(['transactions.amount_cents as amountCents', 'transactions.created_at as createdAt'])
    .select(['transactions.held', 'transactions.session_id'])
    .where('transactions.id', 'in', ids)
    .execute();
}

/** References are rarely reused. */
const SAME_DIGITS_MAX = 100;

/** The transactions with this reference, newest first. Reads the index once per merchant. */
export async function transactionsOfReference(
  db: Queryable,
  digits: { entity: string; reference: string },
  owner: Id<'mer'> | null,
  limit: number,
) {
  const attempts = db
    .selectFrom('attempts')
    .select('transaction_id as id')
    .where('reference', '=', digits.reference)
    .where('entity', '=', digits.entity);
  const found = await (owner === null
    ? attempts.where('merchant_id', 'in', (eb) => eb.selectFrom('merchants').select('merchants.id'))
    : attempts.where('merchant_id', '=', owner)
  )
    // Sorted in JavaScript: with `order by`, an engine would read all attempts.
    .limit(SAME_DIGITS_MAX)
    .execute();
  return found
    .map((row) => row.id)
    .sort()
    .reverse()
    .slice(0, limit);
}

export async function transactionsOfRequest(db: Queryable, requestId: string) {
  const rows = await db
    .selectFrom('attempts')
    .select('transaction_id as id')
    .where('request_id', '=', requestId)
    .limit(5)
    .execute();
  return rows.map((row) => row.id);
}

interface Nearby {
  from: Id<'tx'>;
  to: Id<'tx'>;
  owner: Id<'mer'> | null;
  amount: Cents;
  /** The number of transactions examined, newest first; the amount has no index. */
  examinedMax: number;
  limit: number;
}

/** Unpaid transactions of this amount that were created around that time, newest first. */
export async function transactionsNearby(db: Queryable, near: Nearby): Promise<Id<'tx'>[]> {
  let rows = db
    .selectFrom('transactions')
    .select(['id', 'amount_cents', 'status'])
    .where('id', '>=', near.from)
    .where('id', '<', near.to);
  if (near.owner !== null) rows = rows.where('merchant_id', '=', near.owner);
  const found = await db
    .selectFrom(rows.orderBy('id', 'desc').limit(near.examinedMax).as('near'))
    .select('near.id')
    .where('near.amount_cents', '=', near.amount)
    .where('near.status', '!=', 'paid')
    .orderBy('near.id', 'desc')
    .limit(near.limit)
    .execute();
  return found.map((row) => row.id);
}
