import type { AttemptRow } from '../../payments/attempt-store.ts';
import type { ReceiptRow, TransactionRow } from '../../payments/store.ts';

/** Who looks: the operator sees what stands behind a transaction, a merchant what is its own to know. */
export type Reader = 'operator' | 'merchant';

export interface Rows {
  transaction: TransactionRow;
  attempts: AttemptRow[];
  receipts: ReceiptRow[];
}

/**
 * The rows as the reader may know them. A payment that is held for review is pending to its merchant, here as through the
 * API: neither its money nor what came after it shows before the release. Pure.
 */
export function asSeenBy(reader: Reader, rows: Rows): Rows {
  const { transaction, attempts, receipts } = rows;
  if (reader === 'operator' || transaction.held === 0) return rows;
  const paying = receipts.find(
    (receipt) => receipt.attempt_id === transaction.paid_attempt_id && receipt.under === 0,
  );
  const known = receipts.filter((receipt) => paying !== undefined && receipt.id < paying.id);
  const isKnownPaid = (attempt: AttemptRow) =>
    attempt.method === 'MBWAY' && known.some((receipt) => receipt.attempt_id === attempt.id);
  return {
    transaction: { ...transaction, held: 0, paid_at: null, paid_method: null, paid_attempt_id: null },
    attempts: attempts.map((attempt) =>
      attempt.state === 'paid' && !isKnownPaid(attempt) ? beforeItsMoney(attempt, transaction) : attempt,
    ),
    receipts: known,
  };
}

/**
 * An attempt as it stood before money came for it that its merchant does not know of: ended where an end was kept, or
 * where its transaction had ended, else still open.
 */
function beforeItsMoney(attempt: AttemptRow, { status }: TransactionRow): AttemptRow {
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
