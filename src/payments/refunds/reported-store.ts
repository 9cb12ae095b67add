import type { Insertable, Selectable } from 'kysely';
import { countRows } from '../../db/count-rows.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import type { ReportedRefundTable } from '../../db/tables/refunds.ts';
import type { Id } from '../../kernel/ids.ts';
import type { ReceiptKey, ReceiptRow } from '../store.ts';

export type ReportedRow = Selectable<ReportedRefundTable>;

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
 * The open reports that name no receipt, with the receipt of their payment where it has been recorded since. A report at an account
 * of a merchant, who knows its key, concerns only payments to that merchant's accounts.
 */
function linkableReports(db: Queryable) {
  return db
    .selectFrom('reported_refunds as report')
    .innerJoin('bank_accounts as reporting', 'reporting.id', 'report.account_id')
    .innerJoin('receipts', 'receipts.request_id', 'report.request_id')
    .innerJoin('bank_accounts as receiving', 'receiving.id', 'receipts.account_id')
    .where('report.settled_at', 'is', null)
    .where('report.receipt_id', 'is', null)
    .where(ofMerchant(db, null, 'report.merchant_id'))
    .whereRef('receiving.acquirer', '=', 'reporting.acquirer')
    .where((eb) =>
      eb.or([
        eb('reporting.merchant_id', 'is', null),
        eb('reporting.merchant_id', '=', eb.ref('receiving.merchant_id')),
      ]),
    );
}

/** The reports to link, at most `limit`, with their receipts. */
export function lateReports(db: Queryable, limit: number) {
  return linkableReports(db)
    .select(['report.id', 'receipts.id as receipt_id', 'receipts.merchant_id'])
    .orderBy('receipts.id')
    .limit(limit)
    .execute();
}

/** Sets the receipt of an open report that names none. */
export async function linkReport(
  tx: Tx,
  { id, receipt_id, merchant_id }: Pick<ReportedRow, 'id' | 'receipt_id' | 'merchant_id'>,
): Promise<void> {
  await tx
    .updateTable('reported_refunds')
    .set({ receipt_id, merchant_id })
    .where('id', '=', id)
    .where(ofMerchant(tx, null))
    .where('receipt_id', 'is', null)
    .where('settled_at', 'is', null)
    .execute();
}

/**
 * The sum of the unsettled reports of refunds of a receipt, including those that arrived before it. A report without an amount
 * counts as the full receipt.
 */
export async function openReportedCents(
  db: Queryable,
  receipt: ReceiptKey & Pick<ReceiptRow, 'amount_cents'>,
): Promise<number> {
  // Read first: a report that is linked in between is counted twice instead of not at all.
  const linkable = await linkableReports(db)
    .select('report.amount_cents')
    .where('receipts.id', '=', receipt.id)
    .where(ofMerchant(db, receipt.merchant_id, 'receipts.merchant_id'))
    .execute();
  const linked = await db
    .selectFrom('reported_refunds')
    .select('amount_cents')
    .where('receipt_id', '=', receipt.id)
    .where(ofMerchant(db, receipt.merchant_id))
    .where('settled_at', 'is', null)
    .execute();
  return [...linkable, ...linked].reduce((sum, row) => sum + (row.amount_cents ?? receipt.amount_cents), 0);
}

/** Whether the refunds of a receipt, pending ones included, and its unsettled reports of other refunds exceed its amount. */
export async function isOverRefunded(
  db: Queryable,
  receipt: ReceiptKey & Pick<ReceiptRow, 'amount_cents' | 'refund_cents'>,
): Promise<boolean> {
  return receipt.refund_cents + (await openReportedCents(db, receipt)) > receipt.amount_cents;
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
