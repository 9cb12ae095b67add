import type { Insertable, Selectable } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import type { ReceiptNoteTable } from '../../db/tables/payments.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { AttemptRow } from '../attempt-store.ts';
import { type ReceiptKey, type ReceiptRow, type TransactionKey, updateReceipt } from '../store.ts';

export type ReceiptNoteRow = Selectable<ReceiptNoteTable>;

export const NOTES_PER_RECEIPT_MAX = 200;
/** Leaves room for the notes of an assignment and a settlement, which are written once each. */
const NOTES_READ_MAX = NOTES_PER_RECEIPT_MAX + 10;

export async function findReceipt(db: Queryable, id: Id<'rcp'>): Promise<ReceiptRow | undefined> {
  return db.selectFrom('receipts').selectAll().where('id', '=', id).executeTakeFirst();
}

type ReceiptChanges = Partial<Omit<ReceiptRow, 'id' | 'identity' | 'amount_cents' | 'refund_cents'>>;

/** Changes a receipt. Throws Refusal when its settlement, refunds or transaction have changed since it was read. */
export async function changeReceipt(
  tx: Tx,
  receipt: ReceiptKey & Pick<ReceiptRow, 'transaction_id' | 'refund_cents' | 'settlement'>,
  changes: ReceiptChanges,
): Promise<void> {
  const result = await updateReceipt(tx, receipt)
    .set(changes)
    .where('settlement', 'is not distinct from', receipt.settlement)
    .where('refund_cents', '=', receipt.refund_cents)
    .where('transaction_id', 'is not distinct from', receipt.transaction_id)
    .executeTakeFirst();
  if (result.numUpdatedRows === 1n) return;
  throw new Refusal('case_changed', `receipt ${receipt.id} has just been changed: look at it again`);
}

/** Sets the attempt of an assigned receipt, once it is known. */
export async function nameAttempt(tx: Tx, receipt: ReceiptKey, attemptId: Id<'att'>): Promise<void> {
  await updateReceipt(tx, receipt).set({ attempt_id: attemptId }).where('attempt_id', 'is', null).execute();
}

/** The transaction's newest reference with these digits, in any state. */
export async function attemptOfReference(
  db: Queryable,
  transaction: TransactionKey,
  entity: string,
  reference: string,
): Promise<AttemptRow | undefined> {
  return db
    .selectFrom('attempts')
    .selectAll()
    .where('transaction_id', '=', transaction.id)
    .where(ofMerchant(db, transaction.merchant_id))
    .where('entity', '=', entity)
    .where('reference', '=', reference)
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

export async function insertNotes(tx: Tx, rows: readonly Insertable<ReceiptNoteTable>[]): Promise<void> {
  await tx.insertInto('receipt_notes').values(rows).execute();
}

/** Sets the merchant of the rows that belong to a receipt, when the receipt is assigned. */
export async function assignRows(tx: Tx, receiptId: Id<'rcp'>, merchantId: Id<'mer'>): Promise<void> {
  const assigned = { merchant_id: merchantId };
  const free = ofMerchant(tx, null);
  const refunds = await tx
    .updateTable('refunds')
    .set(assigned)
    .where('receipt_id', '=', receiptId)
    .where(free)
    .returning('id')
    .execute();
  for (const { id } of refunds)
    await tx.updateTable('refund_history').set(assigned).where('refund_id', '=', id).where(free).execute();
  await tx
    .updateTable('reported_refunds')
    .set(assigned)
    .where('receipt_id', '=', receiptId)
    .where(free)
    .execute();
  await tx
    .updateTable('receipt_notes')
    .set(assigned)
    .where('receipt_id', '=', receiptId)
    .where(free)
    .execute();
}

/** The notes of a receipt, oldest first. */
export async function notesOf(db: Queryable, receipt: ReceiptKey): Promise<ReceiptNoteRow[]> {
  return db
    .selectFrom('receipt_notes')
    .selectAll()
    .where('receipt_id', '=', receipt.id)
    .where(ofMerchant(db, receipt.merchant_id))
    .orderBy('id')
    .limit(NOTES_READ_MAX)
    .execute();
}
