import { recordAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import { OperatorError, Refusal } from '../kernel/errors.ts';
import { mailException, markPaid } from './settle.ts';
import { type ShownTransaction, showTransaction } from './show.ts';
import { lockTransaction, receiptsOf } from './store.ts';
import type { EndDeps } from './transitions.ts';

/** Releases a held transaction: it becomes paid at the bank's time of payment. Throws OperatorError when it is not held. */
export async function releaseTransaction(
  deps: EndDeps & Pick<Deps, 'db' | 'actor'>,
  id: string,
): Promise<ShownTransaction['transaction']> {
  await deps.db.unit(async (tx) => {
    const row = await lockTransaction(tx, id);
    if (row === undefined) throw new OperatorError(`there is no transaction ${id}`);
    if (row.status === 'paid') throw new Refusal('case_paid', `transaction ${id} is paid already`);
    const { held, paid_at, paid_method, paid_attempt_id } = row;
    if (held === 0 || paid_at === null || paid_method === null) {
      throw new Refusal('case_not_held', `transaction ${id} is not held: there is nothing to release`);
    }
    await markPaid(tx, deps, row, { paid_at, paid_method, paid_attempt_id });
    for (const receipt of await receiptsOf(tx, row)) await mailException(tx, deps, receipt);
    await recordAudit(tx, deps, {
      action: 'transaction.released',
      merchantId: row.merchant_id,
      target: row.id,
      details: { amountCents: row.amount_cents },
    });
  });
  return (await showTransaction(deps, id)).transaction;
}
