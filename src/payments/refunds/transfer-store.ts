import type { Queryable, Tx } from '../../db/database.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import type { Id } from '../../kernel/ids.ts';
import type { RefundRow } from './store.ts';

/** A refund that awaits its transfer, with the order that it belongs to. */
export type TransferRow = RefundRow & { order_id: string | null };

/** One page of refunds that await their transfer, oldest first; `again` includes exported ones. */
export async function transferPage(
  db: Queryable,
  page: { after: string; again: boolean; limit: number },
): Promise<TransferRow[]> {
  return db
    .selectFrom('refunds')
    .innerJoin('receipts', 'receipts.id', 'refunds.receipt_id')
    .leftJoin('transactions', 'transactions.id', 'receipts.transaction_id')
    .selectAll('refunds')
    .select('transactions.order_id')
    .where('refunds.state', '=', 'awaiting_transfer')
    .where('refunds.id', '>', page.after as Id<'ref'>)
    .$if(!page.again, (query) => query.where('refunds.exported_at', 'is', null))
    .orderBy('refunds.id')
    .limit(page.limit)
    .execute();
}

/** Marks a refund as written to a transfer file. False when its state, account or export has changed since it was read. */
export async function markExported(
  tx: Tx,
  refund: Pick<RefundRow, 'id' | 'merchant_id' | 'iban' | 'name' | 'exported_at'>,
  at: number,
): Promise<boolean> {
  const same = (column: 'iban' | 'name' | 'exported_at') =>
    [column, refund[column] === null ? 'is' : '=', refund[column]] as const;
  const result = await tx
    .updateTable('refunds')
    .set({ exported_at: at })
    .where('id', '=', refund.id)
    .where(ofMerchant(tx, refund.merchant_id))
    .where('state', '=', 'awaiting_transfer')
    .where(...same('iban'))
    .where(...same('name'))
    .where(...same('exported_at'))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
