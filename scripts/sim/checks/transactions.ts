import { attemptsOf, isLive, receiptsOf, sum, type TransactionView } from '../snapshot.ts';
import { type Change, type ChangeChecks, newReceipts } from './change.ts';

const MOVES: Readonly<Record<string, readonly string[]>> = {
  pending: ['paid', 'failed', 'cancelled'],
  failed: ['paid'],
  cancelled: ['paid'],
};

export const TRANSACTION_CHECKS: ChangeChecks = {
  *'a terminal state leaves only through a receipt or the operator'(change) {
    for (const id of change.before.transactions.keys()) {
      if (!change.after.transactions.has(id)) yield `${id} is gone`;
    }
    for (const { was, is } of moved(change)) {
      if (was.status === is.status) {
        if (is.held === 0) yield `${is.id} is no longer held, and still ${is.status}`;
        else if (!hasNewFullReceipt(change, is)) yield `${is.id} is held without a full receipt`;
      } else if (MOVES[was.status]?.includes(is.status) !== true) {
        yield `${is.id} went from ${was.status} to ${is.status}`;
      } else if (was.held === 1 && is.status !== 'paid') {
        yield `${is.id} was held and became ${is.status}`;
      }
    }
  },

  *'paid only on a full receipt, a release or a credit'(change) {
    const { requested } = change.world.operator;
    for (const { was, is } of moved(change)) {
      if (is.status !== 'paid') continue;
      const held = change.before.merchants.get(is.merchant_id)?.hold === 1;
      const released = was.held === 1 && requested.release.has(is.id);
      const total = sum(receiptsOf(change.after, is.id).map((row) => row.amount_cents));
      const credited = was.held === 0 && requested.credit.has(is.id) && total >= is.amount_cents;
      const received = was.held === 0 && !held && hasNewFullReceipt(change, is);
      if (!released && !credited && !received) yield `${is.id} became paid without a full receipt`;
    }
  },

  *'never failed or cancelled while an attempt is live or unknown'({ after }) {
    for (const row of after.transactions.values()) {
      if (row.status !== 'failed' && row.status !== 'cancelled') continue;
      for (const attempt of attemptsOf(after, row.id)) {
        if (isLive(attempt)) yield `${row.id} is ${row.status}, attempt ${attempt.id} ${attempt.state}`;
      }
    }
  },

  /** A transaction fails with its last attempt, and is cancelled with a lapsed push or at its deadline. */
  *'failed and cancelled have their reason'(change) {
    for (const { was, is } of moved(change)) {
      if (was.status === is.status || (is.status !== 'failed' && is.status !== 'cancelled')) continue;
      const ended = attemptsOf(change.after, was.id).filter(
        (attempt) => change.before.attempts.get(attempt.id)?.state !== attempt.state,
      );
      const by = ended.map((attempt) => attempt.state);
      const failed = by.some((state) => ['rejected', 'declined', 'expired'].includes(state));
      const timeIsUp = change.now >= endOf(is, change.world);
      const right = is.status === 'failed' ? failed : !failed && (by.includes('lapsed') || timeIsUp);
      if (!right) yield `${is.id} became ${is.status} with attempts ${by.join(', ') || 'unchanged'}`;
    }
  },

  /** A pending transaction without live attempts has its deadline; every other one has none. */
  *'a deadline exists while nothing else can end a transaction'({ after, world }) {
    for (const row of after.transactions.values()) {
      const waiting = row.status === 'pending' && row.held === 0;
      const live = attemptsOf(after, row.id).some(isLive);
      const expected = endOf(row, world);
      if (waiting && !live && row.deadline_at !== expected)
        yield `${row.id} waits until ${row.deadline_at}, not ${expected}`;
      if (!waiting && row.deadline_at !== null) yield `${row.id} is ${row.status} and has a deadline`;
    }
  },

  /** The payment time of a transaction is the bank's, which is never later than the recording. */
  *"the time of payment is the bank's"({ after }) {
    for (const row of after.receipts.values())
      if (row.paid_at > row.recorded_at) yield `${row.id} was paid after it was recorded`;
    for (const { id, paid_at } of after.transactions.values()) {
      if (paid_at !== null && !receiptsOf(after, id).some((row) => row.paid_at === paid_at))
        yield `${id} was paid at ${paid_at}, no receipt was`;
    }
  },
};

function* moved({ before, after }: Change): Iterable<{ was: TransactionView; is: TransactionView }> {
  for (const [id, is] of after.transactions) {
    const was = before.transactions.get(id);
    if (was !== undefined && (was.status !== is.status || was.held !== is.held)) yield { was, is };
  }
}

function hasNewFullReceipt(change: Change, transaction: TransactionView): boolean {
  return newReceipts(change).some(
    (row) => row.transaction_id === transaction.id && row.amount_cents >= transaction.amount_cents,
  );
}

/** The time until which a transaction waits for a step. */
function endOf(row: TransactionView, world: Change['world']): number {
  return row.pending_until ?? row.created_at + world.scenario.settings.pendingMs;
}
