import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import { shownReceipt } from './show.ts';
import { receiptPage } from './store.ts';

export type ListedReceipt = Awaited<ReturnType<typeof listReceipts>>[number];

/** Returns a page of receipts after the id `after`, in the order of recording; with `flag`, only receipts with that flag. */
export async function listReceipts(deps: Pick<Deps, 'db'>, page: Parameters<typeof receiptPage>[1]) {
  const rows = await receiptPage(deps.db.read, page);
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
