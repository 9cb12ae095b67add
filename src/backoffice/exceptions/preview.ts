import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { ExceptionRefused } from '../../payments/exceptions/exception.ts';
import { notFound } from '../errors.ts';
import { type Candidate, previewOf } from './candidates.ts';
import { caseRow } from './store.ts';

/** What assigning a receipt to a transaction would do. Throws NOT_FOUND, or ExceptionRefused when there is no such transaction. */
export async function previewAssign(
  deps: Pick<Deps, 'db'>,
  order: { receiptId: Id<'rcp'>; transactionId: Id<'tx'> },
): Promise<Candidate> {
  const receipt = await caseRow(deps.db.read, order.receiptId, null);
  if (receipt === undefined) throw notFound();
  const { transactionId } = order;
  const preview = await previewOf(deps.db.read, receipt, transactionId);
  if (preview === null) {
    throw new ExceptionRefused('no_transaction', `there is no transaction ${transactionId}`, {
      transactionId,
    });
  }
  return preview;
}
