import type { Deps } from '../../deps.ts';
import { linkReports } from '../../payments/refunds/reported.ts';
import { openReported } from '../../payments/refunds/reported-store.ts';

const SHOWN_MAX = 50;

/** The oldest refunds that the bank reports, that this service did not make and that wait for an operator. */
export async function listReported(deps: Pick<Deps, 'db'>) {
  await linkReports(deps);
  const rows = await openReported(deps.db.read, SHOWN_MAX);
  return rows.map((row) => ({
    reportId: row.id,
    reportedAt: row.reported_at,
    amountCents: row.amount_cents,
    acquirer: row.acquirer,
    /** The bank's id of the payment. */
    requestId: row.request_id,
    receipt:
      row.receipt_id === null
        ? null
        : {
            id: row.receipt_id,
            orderId: row.order_id,
            merchantName: row.merchant_name,
            leftCents: Number(row.receipt_cents ?? 0) - Number(row.refund_cents ?? 0),
          },
  }));
}
