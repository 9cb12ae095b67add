import type { Tx } from '../db/database.ts';
import { type PrunedBatch, pruneIds } from '../db/prune.ts';

/** Deletes the callback notifications received at `before` or earlier that need no further check. */
export function pruneCallbacks(tx: Tx, before: number, after: string): Promise<PrunedBatch> {
  return pruneIds(tx, ['bank_hints', 'id', 'hnt'], { before, after }, (ids) =>
    tx
      .deleteFrom('bank_hints')
      .where('id', 'in', ids)
      .where('check_at', 'is', null)
      // The age of a repeated notification counts from its last arrival.
      .where('received_at', '<=', before)
      .executeTakeFirst(),
  );
}
