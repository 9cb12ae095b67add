import type { AttemptState, EndReason, TransactionStatus } from '../db/tables/tables.ts';
import type { Cents } from '../kernel/money.ts';

/**
 * The state machine, pure: what a receipt, the end of an attempt or the passing of time does to a transaction. The
 * verbs load, ask here, and write the answer by a guarded update.
 */
export interface TransactionState {
  status: TransactionStatus;
  held: boolean;
  amount: Cents;
}

export interface ReceiptFlags {
  late: boolean;
  duplicate: boolean;
  under: boolean;
  over: boolean;
}

/** Where a receipt leads: `paid`, `held` when the merchant is under review, or nowhere. */
export type Settlement = 'paid' | 'held' | 'none';

/** What a receipt of `received` does. Receipts are compared one by one with the amount due, never added up. */
export function settleReceipt(
  transaction: TransactionState,
  received: Cents,
  merchantHold: boolean,
): { flags: ReceiptFlags; settlement: Settlement } {
  if (transaction.status === 'paid' || transaction.held) {
    return { flags: { late: false, duplicate: true, under: false, over: false }, settlement: 'none' };
  }
  const flags: ReceiptFlags = {
    late: transaction.status !== 'pending',
    duplicate: false,
    under: received < transaction.amount,
    over: received > transaction.amount,
  };
  if (flags.under) return { flags, settlement: 'none' };
  return { flags, settlement: merchantHold ? 'held' : 'paid' };
}

const LIVE: readonly AttemptState[] = ['initiated', 'open', 'unknown'];

/** Whether money may still come of the attempt as far as we know. */
export function isLive(state: AttemptState): boolean {
  return LIVE.includes(state);
}

/** Why an attempt that is paid now had ended before, as it is kept; null when it had not. */
export function reasonKept(attempt: { state: AttemptState; end_reason: EndReason | null }): EndReason | null {
  switch (attempt.state) {
    case 'rejected':
    case 'declined':
    case 'lapsed':
    case 'expired':
      return attempt.state;
    default:
      return attempt.end_reason;
  }
}

/** How an attempt can end without money. */
export type AttemptEnding = 'rejected' | 'declined' | 'lapsed' | 'expired' | 'dead';

/**
 * What the end of an attempt does: nothing while another is live or unknown; else the ending of the last one decides.
 * A dead attempt was never in the customer's hands and decides nothing.
 */
export function afterEnding(
  transaction: TransactionState,
  ending: AttemptEnding,
  othersLive: boolean,
): 'failed' | 'cancelled' | null {
  if (transaction.status !== 'pending' || transaction.held || othersLive) return null;
  switch (ending) {
    case 'rejected':
    case 'declined':
    case 'expired':
      return 'failed';
    case 'lapsed':
      return 'cancelled';
    case 'dead':
      return null;
  }
}

/** Whether a transaction is to be cancelled for want of an attempt: its time is up and nothing is live or unknown. */
export function isAbandoned(transaction: TransactionState, timeIsUp: boolean, anyLive: boolean): boolean {
  return transaction.status === 'pending' && !transaction.held && timeIsUp && !anyLive;
}

/** Whether the merchant may start another step. */
export function acceptsSteps(transaction: TransactionState): boolean {
  return transaction.status === 'pending' && !transaction.held;
}
