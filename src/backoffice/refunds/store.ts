import type { Queryable } from '../../db/database.ts';
import type { RefundState } from '../../db/tables/refunds.ts';
import type { Id } from '../../kernel/ids.ts';
import { VISIBLE } from '../../payments/store.ts';

/** A receipt has few refunds. */
const REFUNDS_SHOWN_MAX = 100;

export interface RefundFilter {
  /** Only refunds of receipts that this merchant may see; null for operators. */
  viewer: Id<'mer'> | null;
  state?: RefundState | undefined;
  /** Only refunds that wait for a person, oldest first; otherwise all, newest first. */
  queue?: boolean | undefined;
  ofMerchant?: Id<'mer'> | undefined;
}

const QUEUE: readonly RefundState[] = ['unknown', 'awaiting_transfer'];

/** A page of refunds with their receipt, order and merchant. */
export function refundRows(
  db: Queryable,
  filter: RefundFilter,
  { after, limit }: { after: string | null; limit: number },
) {
  const oldestFirst = filter.queue === true;
  let rows = filtered(db, filter);
  if (after !== null) rows = rows.where('refunds.id', oldestFirst ? '>' : '<', after as Id<'ref'>);
  return rows
    .orderBy('refunds.id', oldestFirst ? 'asc' : 'desc')
    .limit(limit)
    .execute();
}

/** The refunds of a receipt, newest first. */
export function refundRowsOf(db: Queryable, receiptId: Id<'rcp'>) {
  return filtered(db, { viewer: null })
    .where('refunds.receipt_id', '=', receiptId)
    .orderBy('refunds.id', 'desc')
    .limit(REFUNDS_SHOWN_MAX)
    .execute();
}

function filtered(db: Queryable, { viewer, state, queue, ofMerchant }: RefundFilter) {
  let rows = db
    .selectFrom('refunds')
    .innerJoin('receipts', 'receipts.id', 'refunds.receipt_id')
    .leftJoin('transactions', 'transactions.id', 'receipts.transaction_id')
    .leftJoin('checkout_sessions', 'checkout_sessions.id', 'transactions.session_id')
    .leftJoin('payment_links', 'payment_links.id', 'checkout_sessions.link_id')
    .leftJoin('merchants', 'merchants.id', 'refunds.merchant_id')
    .selectAll('refunds')
    .select(['receipts.transaction_id', 'transactions.order_id', 'merchants.name as merchant_name'])
    .select('payment_links.title as link_title');
  if (viewer !== null) rows = rows.where(VISIBLE);
  const owner = viewer ?? ofMerchant;
  if (owner !== undefined) rows = rows.where('refunds.merchant_id', '=', owner);
  if (queue === true) rows = rows.where('refunds.state', 'in', QUEUE);
  return state === undefined ? rows : rows.where('refunds.state', '=', state);
}

export type ListedRow = Awaited<ReturnType<typeof refundRows>>[number];

/**
 * The number and sum of at most `max` refunds. In a list of all states, failed refunds count without their amount, which was not
 * refunded.
 */
export async function sumRefunds(db: Queryable, filter: RefundFilter, max: number) {
  const row = await db
    .selectFrom(filtered(db, filter).limit(max).as('found'))
    .select((eb) => {
      const sum = eb.fn.sum('found.amount_cents');
      const isEvery = filter.state === undefined && filter.queue !== true;
      const wanted = isEvery ? sum.filterWhere('found.state', '<>', 'failed') : sum;
      return [eb.fn.countAll().as('count'), wanted.as('cents')];
    })
    .executeTakeFirst();
  return { count: Number(row?.count ?? 0), cents: Number(row?.cents ?? 0) };
}

/** The subset of these names that are e-mail addresses of people who are not operators. */
export async function namesOfMerchants(db: Queryable, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('email', 'in', [...new Set(names)])
    .where('operator', '=', 0)
    .execute();
  return new Set(rows.map(({ email }) => email));
}
