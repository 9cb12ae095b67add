import type { InferResult, Selectable } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import type { RefundHistoryTable, RefundState } from '../../db/tables/refunds.ts';
import type { Id } from '../../kernel/ids.ts';
import type { RefundKey } from './store.ts';

const HISTORY_MAX = 1000;

export async function historyOf(db: Queryable, refund: RefundKey): Promise<Selectable<RefundHistoryTable>[]> {
  return db
    .selectFrom('refund_history')
    .selectAll()
    .where('refund_id', '=', refund.id)
    .where(ofMerchant(db, refund.merchant_id))
    .orderBy('number')
    .limit(HISTORY_MAX)
    .execute();
}

/** A refund with the columns of its receipt. */
export type ListedRefundRow = InferResult<ReturnType<typeof listed>>[number];

const listed = (db: Queryable) =>
  db
    .selectFrom('refunds')
    .innerJoin('receipts', 'receipts.id', 'refunds.receipt_id')
    .innerJoin('bank_accounts', 'bank_accounts.id', 'refunds.account_id')
    .selectAll('refunds')
    .select(['receipts.transaction_id', 'receipts.method'])
    .select('bank_accounts.acquirer');

export interface RefundPage {
  merchantId?: Id<'mer'> | undefined;
  state?: RefundState | undefined;
  after?: string | undefined;
  limit: number;
}

/** One page of refunds after the id `after`, oldest first. */
export async function refundPage(db: Queryable, { merchantId, state, after = '', limit }: RefundPage) {
  let query = listed(db).where('refunds.id', '>', after as Id<'ref'>);
  if (merchantId !== undefined)
    query = query
      .where('refunds.merchant_id', '=', merchantId)
      .where(ofMerchant(db, merchantId, 'receipts.merchant_id'));
  if (state !== undefined) query = query.where('refunds.state', '=', state);
  return query.orderBy('refunds.id').limit(limit).execute();
}

export async function listedRefund(db: Queryable, id: string) {
  return listed(db)
    .where('refunds.id', '=', id as Id<'ref'>)
    .executeTakeFirst();
}
