import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { cents, eurosFromCents } from '../kernel/money.ts';
import { RECEIPT_FLAGS } from '../kernel/payment-enums.ts';
import { type AttemptRow, attemptsOf } from './attempt-store.ts';
import { type RefundRow, refundedCents, refundsOf } from './refunds/store.ts';
import { statusView } from './status.ts';
import { acquirersOf, findTransaction, type ReceiptRow, receiptPage, receiptsOf } from './store.ts';

export type ShownTransaction = Awaited<ReturnType<typeof showTransaction>>;

/**
 * Loads the operator's view of a transaction: the merchant's view plus attempts, receipts and their refunds, oldest first.
 * Amounts in EUR. Throws OperatorError when it does not exist.
 */
export async function showTransaction(deps: { db: Pick<Database, 'read'> }, id: string) {
  const row = await findTransaction(deps.db.read, id);
  if (row === undefined) throw new OperatorError(`there is no transaction ${id}`);
  const attempts = await attemptsOf(deps.db.read, row);
  const receipts = await receiptsOf(deps.db.read, row);
  const refunded = await refundedCents(deps.db.read, receipts);
  const accounts = [...attempts, ...receipts].map(({ account_id }) => account_id);
  const acquirers = await acquirersOf(deps.db.read, accounts);
  const acquirer = (id: Id<'acc'>) => ({ acquirer: acquirers.get(id) ?? null });
  return {
    transaction: { ...statusView(row, attempts), held: row.held === 1 },
    attempts: attempts.map((attempt) => ({ ...shownAttempt(attempt), ...acquirer(attempt.account_id) })),
    receipts: receipts.map((receipt) => ({
      ...shownReceipt(receipt),
      ...acquirer(receipt.account_id),
      refunded: eurosFromCents(refunded.get(receipt.id) ?? cents(0)),
    })),
    refunds: (await refundsOf(deps.db.read, receipts)).map(shownRefund),
  };
}

function shownRefund(row: RefundRow) {
  return {
    id: row.id,
    receiptId: row.receipt_id,
    amount: eurosFromCents(row.amount_cents),
    state: row.state,
    createdAt: isoInstant(row.created_at),
  };
}

function shownAttempt(row: AttemptRow) {
  return {
    id: row.id,
    method: row.method,
    state: row.state,
    phoneNumber: row.phone_number,
    entity: row.entity,
    reference: row.reference,
    expiresAt: row.expires_at === null ? null : isoInstant(row.expires_at),
    createdAt: isoInstant(row.created_at),
  };
}

/** The operator's view of a receipt. Null members are not known yet; `valueDate` is `YYYY-MM-DD`. */
function shownReceipt(row: ReceiptRow) {
  return {
    id: row.id,
    attemptId: row.attempt_id,
    amount: eurosFromCents(row.amount_cents),
    paidAt: isoInstant(row.paid_at),
    flags: RECEIPT_FLAGS.filter((flag) => row[flag] === 1),
    fee: row.fee_cents === null ? null : eurosFromCents(row.fee_cents),
    net: row.net_cents === null ? null : eurosFromCents(row.net_cents),
    valueDate: row.value_date,
  };
}

export type ListedReceipt = Awaited<ReturnType<typeof listReceipts>>[number];

/** Returns a page of receipts after the id `after`, in the order of recording; with `flag`, only receipts with that flag. */
export async function listReceipts(deps: Pick<Deps, 'db'>, page: Parameters<typeof receiptPage>[1]) {
  const rows = await receiptPage(deps.db.read, page);
  return rows.map((row) => ({
    ...shownReceipt(row),
    transactionId: row.transaction_id,
    method: row.method,
    entity: row.entity,
    reference: row.reference,
    requestId: row.request_id,
    bankOrderId: row.bank_order_id,
    recordedAt: isoInstant(row.recorded_at),
  }));
}
