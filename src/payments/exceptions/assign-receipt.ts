import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../../audit/store.ts';
import { HAS_PAYMENT_IDS } from '../../banks/port.ts';
import type { Tx } from '../../db/database.ts';
import { SerializationConflict } from '../../db/row-locks.ts';
import type { Deps } from '../../deps.ts';
import { Missing, Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { type AttemptRow, attemptOfRecord } from '../attempt-store.ts';
import { openReportedCents } from '../refunds/reported-store.ts';
import { applyReceipt, decideReceipt, mailException } from '../settle.ts';
import { type ShownTransaction, showTransaction } from '../show.ts';
import {
  acquirersOf,
  lockReceiptRow,
  lockTransaction,
  type ReceiptRow,
  type TransactionRow,
} from '../store.ts';
import { flagColumns, type ReceiptDecision } from '../transaction.ts';
import type { EndDeps } from '../transitions.ts';
import { noteText, requireOpen, writeNote } from './exception.ts';
import { assignRows, attemptOfReference, changeReceipt, findReceipt, notesOf } from './store.ts';

type AssignDeps = EndDeps & Pick<Deps, 'db' | 'actor'>;

interface AssignOrder {
  receiptId: Id<'rcp'>;
  transactionId: Id<'tx'>;
  /** The operator's note; the merchant reads it. */
  note: string;
  /** The effect that the operator saw; another one is refused. */
  shown?: ReceiptDecision;
}

/**
 * Assigns an unmatched receipt to a transaction, with the same flags and effects as if it had been matched now. A
 * repetition changes nothing. Throws Refusal when either does not exist, when the receipt belongs to another
 * transaction, was returned or is reported as refunded, when the bank's ids name another transaction, or when the
 * effect is not the one `shown`.
 */
export async function assignReceipt(
  deps: AssignDeps,
  order: AssignOrder,
): Promise<ShownTransaction['transaction']> {
  const text = noteText(order.note);
  await deps.db.unit(async (tx) => {
    const transaction = await lockTransaction(tx, order.transactionId);
    if (transaction === undefined)
      throw new Refusal('case_no_transaction', `there is no transaction ${order.transactionId}`, {
        transactionId: order.transactionId,
      });
    const seen = await findReceipt(tx, order.receiptId);
    if (seen === undefined) throw new Missing('receipt', order.receiptId);
    // Locked, after the transaction as everywhere, so that a concurrent report of a refund is seen.
    const receipt = await lockReceiptRow(tx, seen);
    if (receipt === undefined)
      throw new SerializationConflict(`receipt ${seen.id} was assigned while it was being locked`);
    if (!(await isAssigned(tx, receipt, transaction)))
      await assign(tx, deps, receipt, transaction, { ...order, note: text });
  });
  return (await showTransaction(deps, order.transactionId)).transaction;
}

async function isAssigned(tx: Tx, receipt: ReceiptRow, transaction: TransactionRow): Promise<boolean> {
  if (receipt.transaction_id !== transaction.id) return false;
  return (await notesOf(tx, receipt)).some((note) => note.kind === 'assigned');
}

async function assign(
  tx: Tx,
  deps: AssignDeps,
  receipt: ReceiptRow,
  transaction: TransactionRow,
  { note: text, shown }: AssignOrder,
): Promise<void> {
  if (receipt.transaction_id !== null) {
    throw new Refusal(
      'case_assigned',
      `receipt ${receipt.id} belongs to transaction ${receipt.transaction_id} already: it cannot be assigned`,
      { transactionId: receipt.transaction_id },
    );
  }
  requireOpen(receipt);
  if ((await openReportedCents(tx, receipt)) > 0)
    throw new Refusal(
      'case_refunded',
      `the bank reports a refund of receipt ${receipt.id} that was made elsewhere: settle it under Refunds first`,
    );
  const requestId = await requestIdOf(tx, receipt);
  const attempt = await attemptOf(tx, { ...receipt, request_id: requestId }, transaction);
  const decision = await decideReceipt(tx, transaction, receipt.amount_cents);
  if (shown !== undefined && !isDeepStrictEqual(shown, decision))
    throw new Refusal('case_changed', `transaction ${transaction.id} has changed since you looked`);
  const { flags } = decision;
  // A flagged receipt stays an open exception; the others are settled by the assignment.
  const open = Object.values(flags).some(Boolean);
  await changeReceipt(tx, receipt, {
    transaction_id: transaction.id,
    attempt_id: attempt?.id ?? null,
    merchant_id: transaction.merchant_id,
    method: attempt?.method ?? receipt.method,
    unmatched: 0,
    ...flagColumns(flags),
    settlement: open ? null : 'assigned',
    settled_at: open ? null : deps.clock.now(),
  });
  await mailException(tx, deps, { id: receipt.id, ...flagColumns(flags) });
  await assignRows(tx, receipt.id, transaction.merchant_id);
  const owned = { id: receipt.id, merchant_id: transaction.merchant_id };
  await writeNote(tx, deps, [owned], { kind: 'assigned', text, operator: true });
  await recordAudit(tx, deps, {
    action: 'receipt.assigned',
    merchantId: transaction.merchant_id,
    target: receipt.id,
    details: { transactionId: transaction.id, amountCents: receipt.amount_cents, flags, note: text },
  });
  const payment = { method: receipt.method, requestId, paidAt: receipt.paid_at };
  await applyReceipt(tx, deps, transaction, attempt, payment, decision);
}

/** The bank's id of the request that was paid; null when the receipt has that of the payment instead. */
async function requestIdOf(tx: Tx, { account_id, request_id }: ReceiptRow): Promise<string | null> {
  const acquirer = (await acquirersOf(tx, [account_id])).get(account_id);
  return acquirer !== undefined && HAS_PAYMENT_IDS[acquirer] ? null : request_id;
}

/** Finds the attempt that was paid: by the bank's ids, else by the digits of a reference. */
async function attemptOf(
  tx: Tx,
  receipt: ReceiptRow,
  transaction: TransactionRow,
): Promise<AttemptRow | undefined> {
  const ids = { bankOrderId: receipt.bank_order_id, requestId: receipt.request_id };
  const found = await attemptOfRecord(tx, ids);
  // The bank's ids are valid only within one bank account.
  const named = found?.account_id === receipt.account_id ? found : undefined;
  if (named !== undefined && named.transaction_id !== transaction.id) {
    throw new Refusal(
      'case_bank_says',
      `receipt ${receipt.id} was paid for transaction ${named.transaction_id} by the bank's own ids: assign it there`,
      { transactionId: named.transaction_id },
    );
  }
  if (named !== undefined || receipt.entity === null || receipt.reference === null) return named;
  return attemptOfReference(tx, transaction, receipt.entity, receipt.reference);
}
