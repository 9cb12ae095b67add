import type { Tx } from '../db/database.ts';
import { type PrunedBatch, pruneBatchSize } from '../db/prune.ts';
import { idFloor } from '../kernel/ids.ts';

/** Deletes the requests received at `before` or earlier. */
export async function pruneRequests(tx: Tx, before: number): Promise<PrunedBatch> {
  const limit = pruneBatchSize(tx);
  const old = tx
    .selectFrom('api_requests')
    .select('id')
    .where('id', '<', idFloor('req', before))
    .orderBy('id')
    .limit(limit);
  const { numDeletedRows } = await tx.deleteFrom('api_requests').where('id', 'in', old).executeTakeFirst();
  const rows = Number(numDeletedRows);
  return { rows, after: rows < limit ? null : '' };
}
