import type { Flag } from '../db/tables/columns.ts';
import {
  type AttemptState,
  ENDINGS,
  type Ending,
  type EndReason,
  type TransactionTable,
} from '../db/tables/payments.ts';
import type { Cents } from '../kernel/money.ts';
import type { ORDER_FLAGS } from '../kernel/payment-enums.ts';

/** The part of a transaction that the state machine decides on. All functions of this file are pure. */
export type TransactionState = Pick<TransactionTable, 'status' | 'held' | 'amount_cents'>;

export type ReceiptFlags = Record<(typeof ORDER_FLAGS)[number], boolean>;

/** The flags as columns of the receipt. */
export function flagColumns(flags: ReceiptFlags): Record<keyof ReceiptFlags, Flag> {
  const flag = (value: boolean): Flag => (value ? 1 : 0);
  const { late, duplicate, under, over } = flags;
  return { late: flag(late), duplicate: flag(duplicate), under: flag(under), over: flag(over) };
}

/** A receipt's flags and its effect on its transaction. */
export interface ReceiptDecision {
  flags: ReceiptFlags;
  settlement: 'paid' | 'held' | 'none';
}

/**
 * Decides the effect of a receipt: `paid`, `held` when the merchant is under review, or none. Each receipt is compared with the
 * amount by itself, never added up.
 */
export function receiptDecision(
  transaction: TransactionState,
  received: Cents,
  merchantHold: boolean,
): ReceiptDecision {
  if (transaction.status === 'paid' || transaction.held === 1) {
    return { flags: { late: false, duplicate: true, under: false, over: false }, settlement: 'none' };
  }
  const flags: ReceiptFlags = {
    late: transaction.status !== 'pending',
    duplicate: false,
    under: received < transaction.amount_cents,
    over: received > transaction.amount_cents,
  };
  if (flags.under) return { flags, settlement: 'none' };
  return { flags, settlement: merchantHold ? 'held' : 'paid' };
}

/** The decision about a second payment of a session's order: it counts, so that the merchant is notified, and is flagged. */
export function paidAgain({ flags, settlement }: ReceiptDecision): ReceiptDecision {
  return { flags: { ...flags, late: true, duplicate: true }, settlement };
}

/** The states of an attempt that may still be paid. */
export const LIVE: readonly AttemptState[] = ['initiated', 'open', 'unknown'];

export function isLive(state: AttemptState): boolean {
  return LIVE.includes(state);
}

/** The stored end reason of an attempt that ended before it was paid; null when it had not ended. */
export function reasonKept(attempt: { state: AttemptState; end_reason: EndReason | null }): EndReason | null {
  return ENDINGS.find((ending) => ending === attempt.state) ?? attempt.end_reason;
}

/** The ways an attempt can end without a payment. */
export type AttemptEnding = Ending | 'dead';

/**
 * The state that follows the end of an attempt; null while another attempt is live. A dead attempt never reached the
 * customer and changes nothing.
 */
export function afterEnding(
  transaction: TransactionState,
  ending: AttemptEnding,
  othersLive: boolean,
): 'failed' | 'cancelled' | null {
  if (!acceptsSteps(transaction) || othersLive) return null;
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

/** Until when a transaction without a live attempt waits for a step. */
export function pendingUntil(
  transaction: { created_at: number; pending_until: number | null },
  pendingMs: number,
): number {
  return transaction.pending_until ?? transaction.created_at + pendingMs;
}

/** Whether a transaction is cancelled because its time is up and no attempt is live. */
export function isAbandoned(transaction: TransactionState, timeIsUp: boolean, anyLive: boolean): boolean {
  return acceptsSteps(transaction) && timeIsUp && !anyLive;
}

/** Whether the merchant may start another step. */
export function acceptsSteps(transaction: TransactionState): boolean {
  return transaction.status === 'pending' && transaction.held === 0;
}
