import { type DeleteResult, sql } from 'kysely';
import { type Id, type IdPrefix, idFloor } from '../kernel/ids.ts';
import { isPostgres, type Tx } from './database.ts';
import type { Tables } from './tables/tables.ts';

/** One batch of deletions: the rows deleted, and the id to continue after; null when no old rows remain. */
export interface PrunedBatch {
  rows: number;
  after: string | null;
}

/** The rows that one batch reads. Small on SQLite, where other transactions wait for the batch. */
export function pruneBatchSize(tx: Tx): number {
  return isPostgres(tx) ? 200 : 20;
}

/**
 * Prunes one batch of the ids in `table.column` that were created before `before` (UTC milliseconds), beyond the id `after`:
 * `remove` deletes the rows of those ids that are no longer needed.
 */
export async function pruneIds<P extends IdPrefix>(
  tx: Tx,
  [table, column, prefix]: readonly [table: keyof Tables, column: string, prefix: P],
  { before, after, limit = pruneBatchSize(tx) }: { before: number; after: string; limit?: number },
  remove: (ids: Id<P>[]) => Promise<DeleteResult>,
): Promise<PrunedBatch> {
  const id = sql.ref<Id<P>>(column);
  const { rows } = await sql<{ id: Id<P> }>`
    select distinct ${id} as id from ${sql.table(table)}
    where ${id} > ${after} and ${id} < ${idFloor(prefix, before)} order by ${id} limit ${limit}`.execute(tx);
  if (rows.length === 0) return { rows: 0, after: null };
  const ids = rows.map((row) => row.id);
  const { numDeletedRows } = await remove(ids);
  return { rows: Number(numDeletedRows), after: ids.length < limit ? null : (ids.at(-1) ?? null) };
}
