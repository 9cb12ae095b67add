import { paysAlone, paysSecond, receiptsOf, refundsOf, sum } from '../snapshot.ts';
import { type ChangeChecks, moves } from './change.ts';

const MOVES: Readonly<Record<string, readonly string[]>> = {
  new: ['requested', 'awaiting_transfer'],
  requested: ['sent'],
  sent: ['done', 'failed', 'accepted', 'unknown'],
  accepted: ['done', 'failed'],
  unknown: ['done', 'failed'],
  awaiting_transfer: ['done', 'failed'],
};
const IN_FLIGHT = ['requested', 'sent', 'accepted', 'unknown'];

export const REFUND_CHECKS: ChangeChecks = {
  *'a refund is never deleted or altered, and moves only as its states allow'({ before, after }) {
    for (const [id, was] of before.refunds) {
      const is = after.refunds.get(id);
      if (is?.amount_cents !== was.amount_cents || is.receipt_id !== was.receipt_id)
        yield `${id} is gone or altered`;
    }
    const reports = [...after.reported_refunds.values()];
    for (const { id, was, is } of moves(before.refunds, after.refunds)) {
      const from = was?.state ?? 'new';
      const move = `${from} ${is.state}`;
      const isRecorded = move === 'new done' && reports.some((row) => row.refund_id === id);
      const isBlocked =
        move === 'requested failed' && reports.some((row) => row.request_id === is.request_id);
      if (!isRecorded && !isBlocked && !MOVES[from]?.includes(is.state))
        yield `${id} went from ${from} to ${is.state}`;
    }
  },

  *'never more is refunded than the receipt'({ after }) {
    if (after.refunds.size === 0) return;
    for (const { id, amount_cents, refund_cents } of after.receipts.values()) {
      const open = refundsOf(after, id).filter(({ state }) => state !== 'failed');
      const refunded = sum(open.map((row) => row.amount_cents));
      if (refunded !== refund_cents) yield `${id} counts ${refund_cents}, its refunds make ${refunded}`;
      if (refunded > amount_cents) yield `${id} of ${amount_cents} has refunds of ${refunded}`;
    }
  },

  *'at most one refund of a receipt is in flight'({ after }) {
    const seen = new Set<string>();
    for (const { receipt_id, state } of after.refunds.values()) {
      if (!IN_FLIGHT.includes(state)) continue;
      if (seen.has(receipt_id)) yield receipt_id;
      seen.add(receipt_id);
    }
  },

  *'a failed refund is repeated once'({ after }) {
    const repeated = new Set<string>();
    for (const { id, retry_of } of after.refunds.values()) {
      if (retry_of === null) continue;
      if (repeated.has(retry_of) || after.refunds.get(retry_of)?.state !== 'failed')
        yield `${id} of ${retry_of}`;
      repeated.add(retry_of);
    }
  },

  /** The notifications of equal refunds of one payment are indistinguishable, so `done` ones are counted. */
  *'a refund is done when the bank made it, and failed when it did not'({ before, after, world }) {
    for (const { id, is } of moves(before.refunds, after.refunds)) {
      if (is.request_id === null) continue;
      const call = world.bank.refunds.calls.get(id);
      // Without a call, the process died before it made one.
      if (is.state === 'failed' && call !== undefined && call.state !== 'not made')
        yield `${id} failed, and the bank may have made it`;
      if (is.state !== 'done') continue;
      const done = [...after.refunds.values()].filter(
        (row) =>
          row.state === 'done' && row.request_id === is.request_id && row.amount_cents === is.amount_cents,
      );
      const made = world.bank.refunds.made(is.request_id).filter(({ amount }) => amount === is.amount_cents);
      if (done.length > made.length) yield `${id} is done, and the bank did not make it`;
    }
  },

  *'what was refunded does not count for a credit'({ before, after }) {
    for (const row of after.transactions.values()) {
      if (row.status !== 'paid' || before.transactions.get(row.id)?.status === 'paid') continue;
      const counted = receiptsOf(after, row.id).filter(
        (receipt) => paysAlone(receipt) || paysSecond(receipt) || receipt.settlement === 'credited',
      );
      const kept = sum(counted.map((receipt) => receipt.amount_cents - receipt.refund_cents));
      if (kept < row.amount_cents) yield `${row.id} of ${row.amount_cents} became paid by ${kept}`;
    }
  },
};
