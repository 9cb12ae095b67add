import { type Cents, cents } from '../../kernel/money.ts';
import { RECEIPT_FLAGS, type ReceiptFlag, type ReceiptRow } from '../store.ts';

/** The rules of receipts that need a person, pure. */
type Flagged = Pick<ReceiptRow, ReceiptFlag | 'amount_cents'>;

/** Whether a person was, or is, needed: the receipt has a flag. */
export function isException(receipt: Flagged): boolean {
  return RECEIPT_FLAGS.some((flag) => receipt[flag] === 1);
}

/**
 * What of a receipt is not its receiver's due and may go back: all of what paid nothing, the surplus of what paid its
 * transaction with too much, null for what paid it exactly. `due` is the transaction's amount, null without one.
 */
export function dueBack(receipt: Flagged, due: Cents | null): Cents | null {
  if (!isPayer(receipt)) return receipt.amount_cents;
  if (receipt.over === 1 && due !== null) return cents(receipt.amount_cents - due);
  return null;
}

/** Whether the receipt may be kept as it came: it paid its transaction, too late or with too much. */
export function mayBeKept(receipt: Flagged): boolean {
  return isPayer(receipt) && (receipt.late === 1 || receipt.over === 1);
}

/** Whether the receipt alone made its transaction's amount full. */
function isPayer(receipt: Flagged): boolean {
  return receipt.unmatched === 0 && receipt.duplicate === 0 && receipt.under === 0;
}
