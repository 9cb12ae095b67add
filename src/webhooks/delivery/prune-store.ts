import type { Tx } from '../../db/database.ts';
import type { PrunedBatch } from '../../db/prune.ts';
import { type Id, idFloor } from '../../kernel/ids.ts';

const DELIVERIES_PER_BATCH = 50;

/**
 * Deletes the attempts of deliveries that ended at `before` or earlier, all attempts of a delivery together. A delivery that is
 * still due keeps its attempts.
 */
export async function pruneDeliveryAttempts(tx: Tx, before: number, after: string): Promise<PrunedBatch> {
  const old = await tx
    .selectFrom('delivery_attempts')
    .select('delivery_id')
    .distinct()
    .where('delivery_id', '>', after as Id<'dlv'>)
    .where('delivery_id', '<', idFloor('dlv', before))
    .orderBy('delivery_id')
    .limit(DELIVERIES_PER_BATCH)
    .execute();
  if (old.length === 0) return { rows: 0, after: null };
  const ids = old.map((row) => row.delivery_id);
  const ended = tx
    .selectFrom('deliveries')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '!=', 'due')
    .where('finished_at', '<=', before);
  const { numDeletedRows } = await tx
    .deleteFrom('delivery_attempts')
    .where('delivery_id', 'in', ended)
    .executeTakeFirst();
  const isLast = ids.length < DELIVERIES_PER_BATCH;
  return { rows: Number(numDeletedRows), after: isLast ? null : (ids.at(-1) ?? null) };
}
