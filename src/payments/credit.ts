import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import { eurosFromCents } from '../kernel/money.ts';
import type { MoveDeps } from './announce.ts';
import { attemptsOf } from './attempt-store.ts';
import { markPaid } from './settle.ts';
import { type ShownTransaction, showTransaction } from './show.ts';
import { lockTransaction, receiptsOf } from './store.ts';

/**
 * The operator's credit: a transaction whose receipts, each too small by itself, together reach its amount becomes
 * paid, at the bank's time of the receipt that completed it; payment.success. OperatorError when they do not, or when
 * it is paid or held.
 */
export async function creditTransaction(
  deps: MoveDeps & Pick<Deps, 'db'>,
  id: string,
): Promise<ShownTransaction['transaction']> {
  await deps.db.unit(async (tx) => {
    const row = await lockTransaction(tx, id);
    if (row === undefined) throw new OperatorError(`there is no transaction ${id}`);
    if (row.status === 'paid') throw new OperatorError(`transaction ${id} is paid already`);
    if (row.held === 1) throw new OperatorError(`transaction ${id} is held: release it instead`);
    const receipts = await receiptsOf(tx, row.id);
    const received = receipts.reduce((sum, receipt) => sum + receipt.amount_cents, 0);
    const newest = receipts.toSorted((a, b) => a.paid_at - b.paid_at).at(-1);
    if (newest === undefined || received < row.amount_cents) {
      throw new OperatorError(
        `transaction ${id} cannot be credited: its receipts make ${received / 100} of ${eurosFromCents(row.amount_cents)} EUR`,
      );
    }
    const attempt = (await attemptsOf(tx, row.id)).find((candidate) => candidate.id === newest.attempt_id);
    await markPaid(tx, deps, row, {
      paidAt: newest.paid_at,
      method: attempt?.method ?? newest.method ?? 'REFERENCE',
      attemptId: newest.attempt_id,
    });
  });
  return (await showTransaction(deps, id)).transaction;
}
