import { recordAudit } from '../audit/store.ts';
import { afterCommit } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { BLOCKED, findDelivery, insertDelivery } from './store.ts';

/**
 * Sends a delivery's event again with the same body and event id, as a new delivery without a sequence, which waits for no other
 * event. Throws OperatorError when the delivery does not exist.
 */
export async function resendDelivery(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>,
  deliveryId: Id<'dlv'>,
): Promise<{ deliveryId: Id<'dlv'> }> {
  return await deps.db.unit(async (tx) => {
    const first = await findDelivery(tx, deliveryId);
    if (!first) {
      throw new OperatorError(
        `there is no delivery ${deliveryId}; "transaction show TX" lists a transaction's deliveries`,
      );
    }
    const id = deps.ids('dlv');
    await insertDelivery(tx, {
      ...first,
      id,
      lane_position: null,
      blocked: BLOCKED.ready,
      created_at: deps.clock.now(),
    });
    await recordAudit(tx, deps, {
      action: 'delivery.resent',
      merchantId: first.merchant_id,
      target: deliveryId,
      details: { deliveryId: id, event: first.kind },
    });
    afterCommit(tx, deps.wakeDispatcher);
    return { deliveryId: id };
  });
}
