import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import { shownReceipt } from './show.ts';
import { RECEIPT_FLAGS, receiptPage } from './store.ts';

export type ListedReceipt = Awaited<ReturnType<typeof listReceipts>>[number];

/**
 * Returns one page of at most `limit` receipts after the id `after`, in the order of recording; with `flag`, only receipts with
 * that flag. Throws OperatorError on an unknown flag.
 */
export async function listReceipts(
  deps: Pick<Deps, 'db'>,
  page: { flag?: string | undefined; limit: number; after?: string | undefined },
) {
  const flag = page.flag === undefined ? null : RECEIPT_FLAGS.find((known) => known === page.flag);
  if (flag === undefined) throw new OperatorError(`--flag must be one of ${RECEIPT_FLAGS.join(', ')}`);
  const rows = await receiptPage(deps.db.read, { flag, after: page.after ?? '', limit: page.limit });
  return rows.map((row) => ({
    ...shownReceipt(row),
    transactionId: row.transaction_id,
    method: row.method,
    entity: row.entity,
    reference: row.reference,
    requestId: row.request_id,
    bankOrderId: row.bank_order_id,
    recordedAt: isoInstant(row.recorded_at),
  }));
}
