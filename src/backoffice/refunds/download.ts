import type { Deps } from '../../deps.ts';
import { lisbonDay } from '../../kernel/lisbon.ts';
import { draftTransfers } from '../../payments/refunds/export-refunds.ts';

/** The maximum number of refunds without an account that the response lists. */
const LEFT_MAX = 100;

/** The credit transfer file of the refunds that await their transfer, marked as exported. `xml` is null when there are none. */
export async function downloadTransfers(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'random' | 'settings' | 'actor'>,
  again: boolean,
) {
  const { xml, count, total, repeated, left, mark } = await draftTransfers(deps, again);
  if (xml !== null) await mark();
  return {
    fileName: `sepa-${lisbonDay(deps.clock.now())}.xml`,
    xml,
    count,
    totalCents: Number(total),
    /** The number of them that an earlier file contains too. */
    repeatedCount: repeated,
    leftCount: left.length,
    left: left.slice(0, LEFT_MAX).map((row) => ({
      refundId: row.id,
      receiptId: row.receipt_id,
      orderId: row.order_id,
      amountCents: row.amount_cents,
    })),
  };
}
