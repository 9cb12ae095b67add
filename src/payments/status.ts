import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import { eurosFromCents } from '../kernel/money.ts';
import type { Merchant } from '../rpc/context.ts';
import type { StatusInput, StatusOutput } from './contract.ts';
import { findStatus, type StatusAttempt, type StatusRow } from './status-store.ts';
import { transactionNotFound } from './steps.ts';
import { isLive } from './transaction.ts';

/** Reads the stored state of the merchant's own transaction; calls no bank. Error: TRANSACTION_NOT_FOUND. */
export async function readStatus(
  deps: Pick<Deps, 'db'>,
  merchant: Merchant,
  input: StatusInput,
): Promise<StatusOutput> {
  const found = await findStatus(deps.db.read, input.transactionId, merchant.id);
  if (found === undefined) throw transactionNotFound();
  return statusView(found.transaction, found.attempts);
}

export function statusView(transaction: StatusRow, attempts: readonly StatusAttempt[]): StatusOutput {
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
 * The attempt that paid; else the newest live or unknown one; else the newest that the bank accepted. A held
 * transaction shows the attempt that it showed before its payment.
 */
export function shownAttempt<Attempt extends Pick<StatusAttempt, 'id' | 'state' | 'accepted'>>(
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
