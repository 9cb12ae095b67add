import type { Queryable, Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { appendEvent } from '../../webhooks/append.ts';
import { type LockedReceipt, paidAlone } from '../exceptions/exception.ts';
import { changeTransaction, type ReceiptRow, receiptsOf, type TransactionRow } from '../store.ts';
import { type RefundRow, refundedCents } from './store.ts';

/** The receipts that paid their transaction: the one that covered it alone, or those that an operator credited. */
export function payingReceipts(receipts: readonly ReceiptRow[]): ReceiptRow[] {
  return receipts.filter((receipt) => receipt.settlement === 'credited' || paidAlone(receipt));
}

/**
 * The cents that the paying receipts of a transaction, without their `done` refunds, hold above its amount; negative below it. Null
 * when the transaction is not paid, or this receipt did not pay it.
 */
export async function surplusOf(
  db: Queryable,
  transaction: TransactionRow,
  receipt: ReceiptRow,
): Promise<number | null> {
  const paying = payingReceipts(await receiptsOf(db, transaction));
  if (transaction.status !== 'paid' || !paying.some(({ id }) => id === receipt.id)) return null;
  const refunded = await refundedCents(db, paying);
  const kept = paying.reduce((sum, one) => sum + one.amount_cents - (refunded.get(one.id) ?? 0), 0);
  return kept - transaction.amount_cents;
}

/**
 * Appends payment.refunded for a `done` refund of a paying receipt when the merchant has enabled the event. A refund of a
 * duplicate, surplus or unmatched payment does not affect the order.
 */
export async function announceRefund(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'wakeDispatcher'>,
  made: LockedReceipt & { refund: Pick<RefundRow, 'id' | 'amount_cents'>; settledAt: number },
): Promise<void> {
  const { refund, receipt, transaction, settledAt } = made;
  if (transaction === null) return;
  const merchant = await selectMerchant(tx, transaction.merchant_id);
  if (merchant?.refund_events !== 1) return;
  const surplus = await surplusOf(tx, transaction, receipt);
  if (surplus === null || surplus >= 0) return;
  const transactionSequence = transaction.events_count + 1;
  await changeTransaction(tx, transaction, { events_count: transactionSequence });
  await appendEvent(tx, deps, {
    kind: 'payment.refunded',
    merchantId: transaction.merchant_id,
    transactionId: transaction.id,
    transactionSequence,
    data: {
      id: refund.id,
      transactionId: transaction.id,
      externalOrderId: transaction.order_id,
      paymentMethod: receipt.method ?? transaction.paid_method ?? 'REFERENCE',
      amount: refund.amount_cents,
      refundedAt: settledAt,
    },
  });
}
