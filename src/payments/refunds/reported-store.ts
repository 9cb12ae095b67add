import type { Insertable, Selectable } from 'kysely';
import { countRows } from '../../db/count-rows.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import type { ReportedRefundTable } from '../../db/tables/refunds.ts';
import type { Id } from '../../kernel/ids.ts';
import type { ReceiptKey, ReceiptRow } from '../store.ts';

export type ReportedRow = Selectable<ReportedRefundTable>;
/** What links a receipt to the reports of its refunds. */
type ReportedReceipt = ReceiptKey & Pick<ReceiptRow, 'request_id' | 'account_id'>;

/** Inserts a reported refund. False when its notification was reported before. */
export async function insertReported(tx: Tx, row: Insertable<ReportedRefundTable>): Promise<boolean> {
  const result = await tx
    .insertInto('reported_refunds')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** The receipt of the payment with this bank id at these accounts. */
export async function receiptOfPayment(
  db: Queryable,
  requestId: string,
  accountIds: readonly Id<'acc'>[],
): Promise<ReceiptKey | undefined> {
  return db
    .selectFrom('receipts')
    .select(['id', 'merchant_id'])
    .where('request_id', '=', requestId)
    .where('account_id', 'in', accountIds)
    .orderBy('id')
    .executeTakeFirst();
}

/**
 * Links the unsettled reports that arrived before this receipt. Only those of its account and of the default accounts, whose keys
 * no other merchant knows.
 */
export async function linkReported(tx: Tx, receipt: ReportedReceipt): Promise<void> {
  const { id, merchant_id, request_id, account_id } = receipt;
  if (request_id === null) return;
  await tx
    .updateTable('reported_refunds')
    .set({ receipt_id: id, merchant_id })
    .where('settled_at', 'is', null)
    .where('receipt_id', 'is', null)
    .where(ofMerchant(tx, null))
    .where('request_id', '=', request_id)
    .where((eb) =>
      eb.or([
        eb('account_id', '=', account_id),
        eb('account_id', 'in', (inner) =>
          inner
            .selectFrom('bank_accounts')
            .select('bank_accounts.id')
            .where('bank_accounts.merchant_id', 'is', null),
        ),
      ]),
    )
    .execute();
}

/** Sets the merchant of a receipt's reported refunds when the receipt is assigned. */
export async function assignReported(tx: Tx, receiptId: Id<'rcp'>, merchantId: Id<'mer'>): Promise<void> {
  await tx
    .updateTable('reported_refunds')
    .set({ merchant_id: merchantId })
    .where('receipt_id', '=', receiptId)
    .where(ofMerchant(tx, null))
    .execute();
}

/** The sum of the unsettled reports of refunds of a receipt. A report without an amount counts as the full receipt. */
export async function openReportedCents(
  tx: Tx,
  receipt: ReportedReceipt & Pick<ReceiptRow, 'amount_cents'>,
): Promise<number> {
  // A report that was stored at the same time as its receipt is not linked yet.
  await linkReported(tx, receipt);
  const rows = await tx
    .selectFrom('reported_refunds')
    .select('amount_cents')
    .where('receipt_id', '=', receipt.id)
    .where(ofMerchant(tx, receipt.merchant_id))
    .where('settled_at', 'is', null)
    .execute();
  return rows.reduce((sum, row) => sum + (row.amount_cents ?? receipt.amount_cents), 0);
}

/** Whether this notification was reported, settled or not. */
export async function isReported(db: Queryable, identity: string): Promise<boolean> {
  const row = await db
    .selectFrom('reported_refunds')
    .select('id')
    .where('identity', '=', identity)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findReported(db: Queryable, id: Id<'rep'>): Promise<ReportedRow | undefined> {
  return db.selectFrom('reported_refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Settles a reported refund; false when it was settled before. */
export async function closeReported(
  tx: Tx,
  report: Pick<ReportedRow, 'id' | 'merchant_id'>,
  changes: Pick<ReportedRow, 'settled_at' | 'refund_id' | 'actor' | 'note'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('reported_refunds')
    .set(changes)
    .where('id', '=', report.id)
    .where(ofMerchant(tx, report.merchant_id))
    .where('settled_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** The unsettled reported refunds, oldest first, with the order and the merchant of their receipt. */
export function openReported(db: Queryable, limit: number) {
  return db
    .selectFrom('reported_refunds')
    .innerJoin('bank_accounts', 'bank_accounts.id', 'reported_refunds.account_id')
    .leftJoin('receipts', 'receipts.id', 'reported_refunds.receipt_id')
    .leftJoin('transactions', 'transactions.id', 'receipts.transaction_id')
    .leftJoin('merchants', 'merchants.id', 'receipts.merchant_id')
    .selectAll('reported_refunds')
    .select(['bank_accounts.acquirer', 'transactions.order_id', 'merchants.name as merchant_name'])
    .select(['receipts.amount_cents as receipt_cents', 'receipts.refund_cents'])
    .where('reported_refunds.settled_at', 'is', null)
    .orderBy('reported_refunds.id')
    .limit(limit)
    .execute();
}

/** The number of unsettled reported refunds, at most `max`. */
export async function countReported(db: Queryable, max: number): Promise<number> {
  const open = db
    .selectFrom('reported_refunds')
    .select('id')
    .where('settled_at', 'is', null)
    .orderBy('id')
    .limit(max);
  return countRows(db, open.as('found'));
}
