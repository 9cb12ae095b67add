import type { Tx } from '../db/database.ts';
import { type PrunedBatch, pruneIds } from '../db/prune.ts';

export function pruneRequests(tx: Tx, before: number, after: string): Promise<PrunedBatch> {
  return pruneIds(tx, ['api_requests', 'id', 'req'], { before, after }, (ids) =>
    tx.deleteFrom('api_requests').where('id', 'in', ids).executeTakeFirst(),
  );
}
