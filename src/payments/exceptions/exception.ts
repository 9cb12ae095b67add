import type { Tx } from '../../db/database.ts';
import { SerializationConflict } from '../../db/row-locks.ts';
import type { ReceiptNoteKind } from '../../db/tables/payments.ts';
import type { Deps } from '../../deps.ts';
import { SERVICE } from '../../kernel/actor.ts';
import { Missing, Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Cents, cents } from '../../kernel/money.ts';
import { RECEIPT_FLAGS } from '../../kernel/payment-enums.ts';
import {
  lockReceiptRow,
  lockTransaction,
  type ReceiptFlag,
  type ReceiptKey,
  type ReceiptRow,
  type TransactionRow,
} from '../store.ts';
import { findReceipt, insertNotes, type ReceiptNoteRow } from './store.ts';

export type ExceptionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>;

/** Who acts on a receipt. With `merchantId`, only receipts of that merchant's transactions are visible. */
export interface Author {
  merchantId: Id<'mer'> | null;
  operator: boolean;
}

/** A receipt with its transaction, both locked. */
export interface LockedReceipt {
  receipt: ReceiptRow;
  transaction: TransactionRow | null;
}

type Flagged = Pick<ReceiptRow, ReceiptFlag | 'amount_cents'>;

/** The kinds of exceptions that are announced by mail, the most important first. */
export const MAILED_FLAGS = ['unmatched', 'duplicate', 'under', 'over'] as const;

/** Whether the receipt has a flag, and so is or was an exception. */
export function isException(receipt: Flagged): boolean {
  return RECEIPT_FLAGS.some((flag) => receipt[flag] === 1);
}

/**
 * The amount of a receipt that may be returned: all of it when it paid nothing, the surplus when it overpaid its
 * transaction, null when it paid exactly. `due` is the transaction's amount, null without one.
 */
export function dueBack(receipt: Flagged, due: Cents | null): Cents | null {
  if (!paidAlone(receipt)) return receipt.amount_cents;
  if (receipt.over === 1 && due !== null) return cents(receipt.amount_cents - due);
  return null;
}

/** Whether the receipt may be kept: it paid its transaction, too late or with too much. */
export function mayBeKept(receipt: Flagged): boolean {
  return paidAlone(receipt) && (receipt.late === 1 || receipt.over === 1);
}

/** Whether the receipt alone covered its transaction's amount. */
export function paidAlone(receipt: Flagged): boolean {
  return receipt.unmatched === 0 && receipt.duplicate === 0 && receipt.under === 0;
}

/** Whether the merchant does not see a receipt: of a held sale it sees only short payments. `VISIBLE` is the same in SQL. */
export function isHidden(
  receipt: Pick<ReceiptRow, 'under'>,
  transaction: Pick<TransactionRow, 'held'> | null | undefined,
): boolean {
  return transaction?.held === 1 && receipt.under === 0;
}

/**
 * Locks a receipt for a change: its transaction first, then the receipt, so that changes to the money of one receipt are serialised.
 * A merchant does not see the payments of its held transactions. Throws Missing.
 */
export async function lockReceipt(tx: Tx, id: Id<'rcp'>, author: Author): Promise<LockedReceipt> {
  const seen = await findReceipt(tx, id);
  if (seen === undefined || (author.merchantId !== null && seen.merchant_id !== author.merchantId)) {
    throw new Missing('receipt', id);
  }
  const { transaction_id: transactionId, merchant_id: owner } = seen;
  const transaction = transactionId === null ? null : await lockTransaction(tx, transactionId, { owner });
  const receipt = await lockReceiptRow(tx, seen);
  if (receipt === undefined || receipt.transaction_id !== (transaction?.id ?? null))
    throw new SerializationConflict(`receipt ${id} was assigned while it was being locked`);
  if (!author.operator && isHidden(receipt, transaction)) throw new Missing('receipt', id);
  return { receipt, transaction: transaction ?? null };
}

/** Throws Refusal when the receipt is settled. */
export function requireOpen(receipt: ReceiptRow): void {
  if (receipt.settlement === null && receipt.refund_cents > 0)
    throw new Refusal('case_refunded', `receipt ${receipt.id} has a refund`);
  if (receipt.settlement === null) return;
  throw new Refusal('case_settled', `receipt ${receipt.id} is settled already: it was ${receipt.settlement}`);
}

const NOTE_CHARACTERS_MAX = 1000;

/** The trimmed text of a note. Throws Refusal when it is too long, or `required` and empty. */
export function noteText(text: string, required = false): string {
  const trimmed = text.trim();
  if (required && trimmed === '')
    throw new Refusal('case_note_missing', 'write a note that says what was done');
  if (trimmed.length > NOTE_CHARACTERS_MAX) {
    throw new Refusal('case_note_long', `the note must have at most ${NOTE_CHARACTERS_MAX} characters`, {
      max: NOTE_CHARACTERS_MAX,
    });
  }
  return trimmed;
}

/** Adds a line to the history of each receipt. `operator`: the platform's operator wrote it, not the merchant. */
export async function writeNote(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'actor'>,
  receipts: readonly ReceiptKey[],
  note: { kind: ReceiptNoteKind; text: string; operator: boolean; internal?: boolean },
): Promise<void> {
  const rows = receipts.map(
    (receipt): ReceiptNoteRow => ({
      id: deps.ids('rno'),
      receipt_id: receipt.id,
      merchant_id: receipt.merchant_id,
      at: deps.clock.now(),
      actor: (deps.actor ?? SERVICE).name,
      kind: note.kind,
      text: note.text,
      by_operator: note.operator ? 1 : 0,
      internal: note.internal ? 1 : 0,
    }),
  );
  await insertNotes(tx, rows);
}
