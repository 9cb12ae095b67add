import type { Deps } from '../deps.ts';
import type { Merchant } from '../rpc/context.ts';
import { attemptsOf } from './attempt-store.ts';
import type { StatusInput, StatusOutput } from './contract.ts';
import { transactionNotFound } from './steps.ts';
import { findStatus } from './store.ts';
import { statusView } from './view.ts';

/** The stored state of the merchant's own transaction; asks no bank. Error: TRANSACTION_NOT_FOUND. */
export async function readStatus(
  deps: Pick<Deps, 'db'>,
  merchant: Merchant,
  input: StatusInput,
): Promise<StatusOutput> {
  const transaction = await findStatus(deps.db.read, input.transactionId, merchant.id);
  if (transaction === undefined) throw transactionNotFound();
  return statusView(transaction, await attemptsOf(deps.db.read, transaction.id));
}
