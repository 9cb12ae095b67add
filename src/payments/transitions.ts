import type { Tx } from '../db/database.ts';
import type { AttemptState, DeadReason, PaymentMethod } from '../db/tables/payments.ts';
import type { EventKind } from '../db/tables/webhooks.ts';
import type { Deps } from '../deps.ts';
import { appendEvent } from '../webhooks/append.ts';
import { type AttemptRow, attemptsOf, changeAttempt, findAttempt } from './attempt-store.ts';
import { shownAttempt } from './status.ts';
import { changeTransaction, lockTransaction, type TransactionRow } from './store.ts';
import { countEnded, countPaid } from './totals.ts';
import { type AttemptEnding, acceptsSteps, afterEnding, isLive, pendingUntil } from './transaction.ts';

export type EndDeps = Pick<Deps, 'clock' | 'ids' | 'wakeDispatcher' | 'queueMail' | 'settings'>;

/** An attempt and its transaction, read under the transaction's lock. */
export interface LockedAttempt {
  transaction: TransactionRow;
  attempt: AttemptRow;
}

/** Locks the transaction of an attempt, then loads the attempt. */
export async function lockAttempt(
  tx: Tx,
  known: Pick<AttemptRow, 'id' | 'transaction_id' | 'merchant_id'>,
): Promise<LockedAttempt> {
  const transaction = await lockTransaction(tx, known.transaction_id, { owner: known.merchant_id });
  const attempt = await findAttempt(tx, known);
  if (transaction === undefined || attempt === undefined)
    throw new Error(`attempt ${known.id} does not exist`);
  return { transaction, attempt };
}

const EVENT_OF = {
  paid: 'payment.success',
  failed: 'payment.failed',
  cancelled: 'payment.cancelled',
} as const satisfies Record<string, EventKind>;

/**
 * Moves a transaction to a new state, appends the event of that change and counts it in the daily totals. The only
 * function that does so. `method` goes into the event.
 */
export async function moveTransaction(
  tx: Tx,
  deps: EndDeps,
  before: TransactionRow,
  to: keyof typeof EVENT_OF,
  method: PaymentMethod | null,
  changes: Partial<Pick<TransactionRow, 'paid_at' | 'paid_method' | 'paid_attempt_id' | 'session_paid'>> = {},
): Promise<void> {
  const transactionSequence = before.events_count + 1;
  await changeTransaction(tx, before, {
    ...changes,
    status: to,
    held: 0,
    shown_attempt_id: null,
    deadline_at: null,
    events_count: transactionSequence,
  });
  const { createdAt } = await appendEvent(tx, deps, {
    merchantId: before.merchant_id,
    transactionId: before.id,
    kind: EVENT_OF[to],
    transactionSequence,
    data: {
      id: before.id,
      externalOrderId: before.order_id,
      amount: before.amount_cents,
      paymentMethod: method,
      status: to,
      paidAt: changes.paid_at ?? null,
    },
  });
  if (before.status === 'pending') countEnded(tx, before, createdAt);
  if (to === 'paid' && method !== null) countPaid(tx, before, method, changes.paid_at ?? createdAt);
}

/**
 * Ends an attempt without money, and its transaction when no other attempt is live. Does nothing when the attempt is in
 * none of the states `from`. `reason` says why it is dead.
 */
export async function endAttempt(
  tx: Tx,
  deps: EndDeps,
  { transaction, attempt }: LockedAttempt,
  from: readonly AttemptState[],
  ending: AttemptEnding,
  reason: DeadReason | null = null,
): Promise<void> {
  const ended = await changeAttempt(tx, attempt, from, {
    state: ending,
    check_at: null,
    ended_at: deps.clock.now(),
    end_reason: reason,
  });
  if (!ended) return;
  const attempts = await attemptsOf(tx, transaction);
  const othersLive = attempts.some((other) => isLive(other.state));
  const next = afterEnding(transaction, ending, othersLive);
  if (next !== null) {
    const shown = shownAttempt({ ...transaction, status: next }, attempts);
    await moveTransaction(tx, deps, transaction, next, shown?.method ?? null);
  } else if (!othersLive) {
    await rearmDeadline(tx, deps, transaction);
  }
}

/** Resets the deadline of a pending transaction, which may no longer have a live attempt. */
export async function rearmDeadline(
  tx: Tx,
  deps: Pick<Deps, 'settings'>,
  transaction: TransactionRow,
): Promise<void> {
  if (!acceptsSteps(transaction)) return;
  await changeTransaction(tx, transaction, {
    deadline_at: pendingUntil(transaction, deps.settings.pendingMs),
  });
}
