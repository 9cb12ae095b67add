import { isoInstant } from '../kernel/clock.ts';
import { eurosFromCents } from '../kernel/money.ts';
import type { AttemptRow } from './attempt-store.ts';
import type { StatusOutput } from './contract.ts';
import type { StatusRow } from './store.ts';
import { isLive } from './transaction.ts';

/** What the merchant reads of a transaction. Pure: the stored rows in, the status answer out. */
export function statusView(transaction: StatusRow, attempts: readonly AttemptRow[]): StatusOutput {
  const shown = shownAttempt(transaction, attempts);
  const paid = transaction.status === 'paid';
  const view: StatusOutput = {
    transactionId: transaction.id,
    externalOrderId: transaction.order_id,
    status: transaction.status,
    paymentMethod: paid ? transaction.paid_method : (shown?.method ?? null),
    amount: eurosFromCents(transaction.amount_cents),
    currency: 'EUR',
    paidAt: paid && transaction.paid_at !== null ? isoInstant(transaction.paid_at) : null,
  };
  if (
    shown?.method === 'REFERENCE' &&
    shown.entity !== null &&
    shown.reference !== null &&
    shown.expires_at !== null
  ) {
    view.mb = { entity: shown.entity, reference: shown.reference, expiresAt: isoInstant(shown.expires_at) };
  }
  return view;
}

/**
 * The attempt that paid; else the newest live or unknown one; else the newest that the bank accepted. A held payment
 * looks as it did before its money came.
 */
export function shownAttempt<Attempt extends Pick<AttemptRow, 'id' | 'state' | 'accepted'>>(
  transaction: Pick<StatusRow, 'status' | 'held' | 'paid_attempt_id' | 'shown_attempt_id'>,
  attempts: readonly Attempt[],
): Attempt | undefined {
  if (transaction.status === 'paid') {
    return attempts.find((attempt) => attempt.id === transaction.paid_attempt_id);
  }
  if (transaction.held === 1) {
    return attempts.find((attempt) => attempt.id === transaction.shown_attempt_id);
  }
  return (
    attempts.findLast((attempt) => isLive(attempt.state)) ??
    attempts.findLast((attempt) => attempt.accepted === 1)
  );
}
