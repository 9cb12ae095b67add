import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import { shownReceipt } from './show.ts';
import { RECEIPT_FLAGS, receiptPage } from './store.ts';

export const RECEIPT_PAGE_MAX = 1000;

/**
 * Receipts in the order of their recording, one page of at most `limit` after the id `after`, perhaps only those with
 * a flag. OperatorError on an unknown flag or a limit out of bounds.
 */
export async function listReceipts(
  deps: Pick<Deps, 'db'>,
  page: { flag?: string | undefined; limit?: number | undefined; after?: string | undefined },
) {
  const flag = page.flag === undefined ? null : RECEIPT_FLAGS.find((known) => known === page.flag);
  if (flag === undefined) throw new OperatorError(`--flag must be one of ${RECEIPT_FLAGS.join(', ')}`);
  const limit = page.limit ?? 100;
  if (!Number.isInteger(limit) || limit < 1 || limit > RECEIPT_PAGE_MAX) {
    throw new OperatorError(`--limit must be a whole number from 1 to ${RECEIPT_PAGE_MAX}`);
  }
  const rows = await receiptPage(deps.db.read, { flag, after: page.after ?? '', limit });
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
