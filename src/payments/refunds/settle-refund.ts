import { recordAudit } from '../../audit/store.ts';
import type { Deps } from '../../deps.ts';
import { EVERYTHING, lockRefund, moveRefund, type RefundDeps, wrongState } from './move.ts';
import { requiredNote } from './reported.ts';

/**
 * Records the operator's finding about a refund whose outcome is unknown or that is made by bank transfer. Throws Refusal
 * for a refund in any other state, and when `exportedAt` is given and is not the time of its last export.
 */
export async function settleRefund(
  deps: RefundDeps & Pick<Deps, 'log'>,
  order: {
    refundId: string;
    outcome: 'done' | 'failed';
    note: string;
    exportedAt?: number | null | undefined;
  },
): Promise<void> {
  const note = requiredNote(order.note);
  await deps.db.unit(async (tx) => {
    const locked = await lockRefund(tx, order.refundId, EVERYTHING);
    const { refund, receipt } = locked;
    if (order.exportedAt !== undefined && order.exportedAt !== refund.exported_at)
      throw wrongState(refund, 'it has been exported for bank transfer since you looked');
    const detail = order.outcome === 'failed' ? { detail: refund.detail ?? note } : {};
    if (!(await moveRefund(tx, deps, locked, `settle_${order.outcome}`, { note, ...detail }))) {
      throw wrongState(refund, 'only a refund that is unknown or awaits its transfer can be settled');
    }
    await recordAudit(tx, deps, {
      action: 'refund.settled',
      merchantId: receipt.merchant_id,
      target: refund.id,
      details: { outcome: order.outcome, amountCents: refund.amount_cents, note },
    });
  });
}
