import type { Tx } from '../db/database.ts';
import { type PrunedBatch, pruneBatchSize } from '../db/prune.ts';
import { type Id, idFloor } from '../kernel/ids.ts';

/** Deletes the callback notifications received at `before` or earlier that need no further check. */
export async function pruneCallbacks(tx: Tx, before: number, after: string): Promise<PrunedBatch> {
  const limit = pruneBatchSize(tx);
  const old = await tx
    .selectFrom('bank_hints')
    .select('id')
    .where('id', '>', after as Id<'hnt'>)
    .where('id', '<', idFloor('hnt', before))
    .orderBy('id')
    .limit(limit)
    .execute();
  if (old.length === 0) return { rows: 0, after: null };
  const ids = old.map((row) => row.id);
  const { numDeletedRows } = await tx
    .deleteFrom('bank_hints')
    .where('id', 'in', ids)
    .where('check_at', 'is', null)
    // The age of a repeated notification counts from its last arrival.
    .where('received_at', '<=', before)
    .executeTakeFirst();
  return { rows: Number(numDeletedRows), after: ids.length < limit ? null : (ids.at(-1) ?? null) };
}
