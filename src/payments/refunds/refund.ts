import type { RefundState, RefundTable } from '../../db/tables/refunds.ts';

/**
 * What can happen to a refund. `block`: the bank reports that it made another refund of the same money. `bank_done`: the bank
 * reports it as made, in an answer or a notification. `bank_unknown`: there was no clear answer, or the process that sent it died.
 * `settle_`: an operator decided. All functions of this file are pure.
 */
export type RefundTrigger =
  | 'send'
  | 'block'
  | 'bank_done'
  | 'bank_accepted'
  | 'bank_failed'
  | 'bank_unknown'
  | 'settle_done'
  | 'settle_failed';

/** Only a `requested` refund can be sent, so none is sent twice. Evidence that the bank made a refund always wins. */
const NEXT: Readonly<Record<RefundTrigger, Partial<Record<RefundState, RefundState>>>> = {
  send: { requested: 'sent' },
  block: { requested: 'failed' },
  bank_done: { sent: 'done', unknown: 'done', accepted: 'done', failed: 'done' },
  bank_accepted: { sent: 'accepted', unknown: 'accepted' },
  bank_failed: { sent: 'failed', unknown: 'failed', accepted: 'failed' },
  bank_unknown: { sent: 'unknown' },
  settle_done: { unknown: 'done', awaiting_transfer: 'done' },
  settle_failed: { unknown: 'failed', awaiting_transfer: 'failed' },
};

/** The state that follows; null when the trigger changes nothing. */
export function nextRefundState(state: RefundState, trigger: RefundTrigger): RefundState | null {
  return NEXT[trigger][state] ?? null;
}

/** The states in which the bank may still make the refund; at most one refund of a receipt is in any of them. */
export const IN_FLIGHT: readonly RefundState[] = ['requested', 'sent', 'accepted', 'unknown'];

/**
 * Returns the refund that a notification is about, from the refunds of one payment and amount, oldest first. A `done` refund
 * without a notification takes precedence over one under way, because the notifications of equal refunds cannot be distinguished.
 */
export function notifiedRefund<Refund extends Pick<RefundTable, 'state' | 'notification'>>(
  refunds: readonly Refund[],
): Refund | null {
  const open = refunds.filter((refund) => refund.notification === null);
  return (
    open.find(({ state }) => state === 'done') ??
    open.find(({ state }) => nextRefundState(state, 'bank_done') === 'done' && state !== 'failed') ??
    open.findLast(({ state }) => state === 'failed') ??
    null
  );
}
