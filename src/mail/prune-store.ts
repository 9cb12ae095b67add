import type { Tx } from '../db/database.ts';
import { type PrunedBatch, pruneIds } from '../db/prune.ts';

/** Deletes finished mails that were queued before `before`. */
export function pruneMails(tx: Tx, before: number, after: string): Promise<PrunedBatch> {
  return pruneIds(tx, ['mails', 'id', 'mail'], { before, after }, (ids) =>
    tx.deleteFrom('mails').where('id', 'in', ids).where('due_at', 'is', null).executeTakeFirst(),
  );
}
