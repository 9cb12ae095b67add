import type { AttemptRow } from '../../payments/attempt-store.ts';
import { isHidden } from '../../payments/exceptions/exception.ts';
import type { ReceiptRow, TransactionRow } from '../../payments/store.ts';

/** Who reads: operators see everything, merchants a redacted view. */
export type Reader = 'operator' | 'merchant';

export interface Rows {
  transaction: TransactionRow;
  attempts: AttemptRow[];
  receipts: ReceiptRow[];
}

/**
 * The rows that the reader may see. To its merchant a held payment is pending, as in the API: the payment and everything after it
 * stay hidden until the release.
 */
export function visibleTo(reader: Reader, rows: Rows): Rows {
  const { transaction, attempts, receipts } = rows;
  if (reader === 'operator' || transaction.held === 0) return rows;
  const visible = receipts.filter((receipt) => !isHidden(receipt, transaction));
  const isVisiblyPaid = (attempt: AttemptRow) =>
    attempt.method === 'MBWAY' && visible.some((receipt) => receipt.attempt_id === attempt.id);
  return {
    transaction: { ...transaction, held: 0, paid_at: null, paid_method: null, paid_attempt_id: null },
    attempts: attempts.map((attempt) =>
      attempt.state === 'paid' && !isVisiblyPaid(attempt) ? beforePayment(attempt, transaction) : attempt,
    ),
    receipts: visible,
  };
}

/** An attempt before the hidden payment: ended if it or its transaction had ended, otherwise open. */
function beforePayment(attempt: AttemptRow, { status }: TransactionRow): AttemptRow {
  const { method, end_reason: reason } = attempt;
  switch (reason) {
    case 'rejected':
    case 'declined':
    case 'lapsed':
    case 'expired':
      return { ...attempt, state: reason, end_reason: null };
    case null:
      if (status === 'pending') return { ...attempt, state: 'open', ended_at: null };
      return { ...attempt, state: method === 'MBWAY' ? 'lapsed' : 'expired' };
    default:
      return { ...attempt, state: 'dead' };
  }
}
