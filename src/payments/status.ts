import type { Deps } from '../deps.ts';
import type { Merchant } from '../rpc/context.ts';
import { attemptsOf } from './attempt-store.ts';
import type { StatusInput, StatusOutput } from './contract.ts';
import { transactionNotFound } from './steps.ts';
import { findStatus, type StatusRow } from './store.ts';
import { statusView } from './view.ts';

/** The stored state of the merchant's own transaction; asks no bank. Error: TRANSACTION_NOT_FOUND. */
export async function readStatus(
  deps: Pick<Deps, 'db'>,
  merchant: Merchant,
  input: StatusInput,
): Promise<StatusOutput> {
  const transaction = await findStatus(deps.db.read, input.transactionId, merchant.id);
  if (transaction === undefined) throw transactionNotFound();
  return statusView(
    transaction,
    needsAttempts(transaction) ? await attemptsOf(deps.db.read, transaction.id) : [],
  );
}

/**
 * What a push paid is told by the transaction's own row; only of a reference there is more to show. Among ten million payments, where
 * each look goes down four or five pages, the attempts were half of the reading.
 */
function needsAttempts({ status, paid_method }: Pick<StatusRow, 'status' | 'paid_method'>): boolean {
  return status !== 'paid' || paid_method !== 'MBWAY';
}
