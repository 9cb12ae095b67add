import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isPostgres, type Queryable } from '../../db/database.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import type { Id } from '../../kernel/ids.ts';
import { VISIBLE } from '../store.ts';

/** A merchant's receipts and refunds of an interval. */
export interface StatementFilter {
  merchantId: Id<'mer'>;
  /** UTC milliseconds, inclusive. */
  from: number;
  /** UTC milliseconds, exclusive. */
  until: number;
  /** Leaves out the money of held transactions, which their merchant does not see. */
  unheld: boolean;
}

/** A position in a statement: the receipt or refund `id`. */
export interface StatementPlace {
  /** UTC milliseconds. */
  at: number;
  id: string;
}

/** The receipts that the bank received in an interval, in its order; one page after `after`. */
export async function receiptsBetween(
  db: Queryable,
  { merchantId, from, until, unheld }: StatementFilter,
  after: StatementPlace,
  limit: number,
) {
  return await db
    .selectFrom('receipts')
    .innerJoin('bank_accounts', 'bank_accounts.id', 'receipts.account_id')
    .leftJoin('transactions', (join) =>
      join
        .onRef('transactions.id', '=', 'receipts.transaction_id')
        .on(ofMerchant(db, merchantId, 'transactions.merchant_id')),
    )
    .select(['receipts.id', 'receipts.paid_at as at', 'transactions.order_id as orderId'])
    .select(['receipts.transaction_id as transactionId', 'receipts.id as receiptId'])
    .select(['bank_accounts.acquirer', 'receipts.method', 'receipts.amount_cents as gross'])
    .select(['receipts.fee_cents as fee', 'receipts.net_cents as net', 'receipts.value_date as valueDate'])
    .where('receipts.merchant_id', '=', merchantId)
    .where('receipts.paid_at', '>=', Math.max(from, after.at))
    .where('receipts.paid_at', '<', until)
    .where((eb) =>
      eb.or([eb('receipts.paid_at', '>', after.at), eb('receipts.id', '>', after.id as Id<'rcp'>)]),
    )
    .$if(unheld, (query) => query.where(VISIBLE))
    .orderBy('receipts.paid_at')
    .orderBy('receipts.id')
    .limit(limit)
    .execute();
}

/**
 * The condition of a refund that was made, with a literal, as in the partial index by time. Cross-join further tables: SQLite would
 * read the refunds of all time by the index of their states, or by their receipts.
 */
export function isDone(db: Queryable): RawBuilder<SqlBool> {
  return isPostgres(db) ? sql`refunds.state = 'done'` : sql`likely(refunds.state = 'done')`;
}

/** The refunds made in an interval, in the order of time; one page after `after`. */
export async function refundsBetween(
  db: Queryable,
  { merchantId, from, until, unheld }: StatementFilter,
  after: StatementPlace,
  limit: number,
) {
  return await db
    .selectFrom('refunds')
    .crossJoin('receipts')
    .whereRef('receipts.id', '=', 'refunds.receipt_id')
    .innerJoin('bank_accounts', 'bank_accounts.id', 'refunds.account_id')
    .leftJoin('transactions', (join) =>
      join
        .onRef('transactions.id', '=', 'receipts.transaction_id')
        .on(ofMerchant(db, merchantId, 'transactions.merchant_id')),
    )
    .select((eb) => eb.ref('refunds.settled_at').$notNull().as('at'))
    .select(['refunds.id', 'transactions.order_id as orderId', 'receipts.transaction_id as transactionId'])
    .select(['refunds.receipt_id as receiptId', 'refunds.id as refundId'])
    .select(['bank_accounts.acquirer', 'receipts.method', 'refunds.amount_cents as refund'])
    .where(isDone(db))
    .where('receipts.merchant_id', '=', merchantId)
    .where(ofMerchant(db, merchantId, 'refunds.merchant_id'))
    .where('refunds.settled_at', '>=', Math.max(from, after.at))
    .where('refunds.settled_at', '<', until)
    .where((eb) =>
      eb.or([eb('refunds.settled_at', '>', after.at), eb('refunds.id', '>', after.id as Id<'ref'>)]),
    )
    .$if(unheld, (query) => query.where(VISIBLE))
    .orderBy('refunds.settled_at')
    .orderBy('refunds.id')
    .limit(limit)
    .execute();
}
