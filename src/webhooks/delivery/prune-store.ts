import type { Tx } from '../../db/database.ts';
import { type PrunedBatch, pruneIds } from '../../db/prune.ts';

const DELIVERIES_PER_BATCH = 50;

/**
 * Deletes the attempts of deliveries that ended at `before` or earlier, all attempts of a delivery together. A delivery that is
 * still due keeps its attempts.
 */
export function pruneDeliveryAttempts(tx: Tx, before: number, after: string): Promise<PrunedBatch> {
  const page = { before, after, limit: DELIVERIES_PER_BATCH };
  return pruneIds(tx, ['delivery_attempts', 'delivery_id', 'dlv'], page, (ids) => {
    const ended = tx
      .selectFrom('deliveries')
      .select('id')
      .where('id', 'in', ids)
      .where('state', '!=', 'due')
      .where('finished_at', '<=', before);
    return tx.deleteFrom('delivery_attempts').where('delivery_id', 'in', ended).executeTakeFirst();
  });
}
