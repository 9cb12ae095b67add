import type { Tx } from '../db/database.ts';
import { ATTEMPT_STATES, type AttemptRow, attemptsOf, changeAttempt } from './attempt-store.ts';
import type { EndDeps } from './end-attempt.ts';
import { nameAttempt, receiptOfIdentity } from './exceptions/exception-store.ts';
import { changeTransaction, lockTransaction } from './store.ts';
import { isLive } from './transaction.ts';

/**
 * Ends a push that the bank calls paid and whose money a person has settled: it was given to a transaction or went back
 * before the push's request id was known. The money is in the books once and stays where it was put. False when it is
 * another attempt's, or still waits for a person.
 */
export async function adoptSettledMoney(
  tx: Tx,
  deps: EndDeps,
  attempt: AttemptRow,
  identity: string,
): Promise<boolean> {
  const transaction = await lockTransaction(tx, attempt.transaction_id);
  const receipt = await receiptOfIdentity(tx, identity);
  if (transaction === undefined || receipt === undefined || receipt.attempt_id !== null) return false;
  if (receipt.transaction_id === null && receipt.settlement === null) return false;
  const own = receipt.transaction_id === transaction.id;
  if (own) await nameAttempt(tx, receipt.id, attempt.id);
  const now = deps.clock.now();
  await changeAttempt(tx, attempt.id, ATTEMPT_STATES, {
    state: 'paid',
    check_at: null,
    ended_at: attempt.ended_at ?? now,
  });
  const othersLive = (await attemptsOf(tx, transaction.id)).some((other) => isLive(other.state));
  if (transaction.status === 'pending' && transaction.held === 0 && !othersLive) {
    await changeTransaction(tx, transaction, {
      deadline_at: transaction.created_at + deps.settings.pendingMs,
    });
  }
  return true;
}
