import type { CallLog } from './call-log.ts';
import type { FinalState, Row } from './final-state.ts';

/** The states of a refund that the bank may have made. */
const MAYBE_MADE = ['done', 'accepted', 'unknown'];
/** The states of a call to the bank, none of which is final. */
const PASSING = ['requested', 'sent'];
const NOTIFIED = 'notified by the bank';

const centsOf = (euros: number) => Math.round(euros * 100);

/** Compares the refunds with what was acknowledged and with what the bank paid back. */
export function* judgeRefunds(log: CallLog, state: FinalState): Iterable<string> {
  const { refunds, receipts, bankRefunds } = state;
  for (const { refundId, receiptId, amount } of log.refunds) {
    const found = refunds.find(({ id }) => id === refundId);
    if (found?.receipt_id !== receiptId || found.amount_cents !== centsOf(amount))
      yield `refund ${refundId} was acknowledged and is not there as it was asked for`;
  }
  const receiptOf = new Map(receipts.map((receipt) => [receipt.id, receipt]));
  const nameOf = (one: Row<'refunds'>) => `${receiptOf.get(one.receipt_id)?.request_id} ${one.amount_cents}`;
  const ours = Map.groupBy(refunds, nameOf);
  const made = Map.groupBy(bankRefunds, (one) => `${one.requestId} ${one.amountCents}`);
  const count = (key: string, states: readonly string[]) =>
    (ours.get(key) ?? []).filter(({ state }) => states.includes(state)).length;
  for (const key of new Set([...ours.keys(), ...made.keys()])) {
    const atBank = made.get(key)?.length ?? 0;
    if (atBank > count(key, MAYBE_MADE))
      yield `the bank refunded ${key} cents ${atBank} times, more often than the service knows`;
    const isTransfer = ours.get(key)?.some((one) => receiptOf.get(one.receipt_id)?.method === 'REFERENCE');
    if (!isTransfer && atBank < count(key, ['done']))
      yield `a refund of ${key} cents is done and not at the bank`;
  }
  for (const [receiptId, own] of Map.groupBy(refunds, (refund) => refund.receipt_id)) {
    const reserved = own.filter(({ state }) => state !== 'failed');
    if (
      reserved.reduce((sum, { amount_cents }) => sum + amount_cents, 0) >
      (receiptOf.get(receiptId)?.amount_cents ?? 0)
    )
      yield `the refunds of ${receiptId} exceed it`;
    if (own.filter(({ state }) => state === 'accepted' || state === 'unknown').length > 1)
      yield `${receiptId} has two refunds under way`;
  }
  const histories = Map.groupBy(state.refund_history, ({ refund_id }) => refund_id);
  for (const refund of refunds) yield* historyFaults(log, refund, histories.get(refund.id));
}

/** A refund is sent once. If the kill interrupted the sending, its outcome is unknown until the bank reports it. */
function* historyFaults(
  { kills }: CallLog,
  { id: refundId, state }: Row<'refunds'>,
  history: readonly Row<'refund_history'>[] = [],
): Iterable<string> {
  if (PASSING.includes(state)) yield `refund ${refundId} is still ${state}`;
  if (history.filter((entry) => entry.state === 'sent').length > 1) yield `refund ${refundId} was sent twice`;
  const sentAt = history.findIndex((entry) => entry.state === 'sent');
  const [sent, next] = sentAt < 0 ? [] : history.slice(sentAt);
  if (sent === undefined || next === undefined || next.note === NOTIFIED) return;
  const isInterrupted = kills.some((at) => at > sent.at && at < next.at);
  if (isInterrupted && next.state !== 'unknown')
    yield `refund ${refundId} was being sent at a kill and became ${next.state}`;
}
