import type { Tx } from '../db/database.ts';
import { type PrunedBatch, pruneBatchSize } from '../db/prune.ts';

/** Deletes the answers stored under idempotency keys at `before` or earlier. */
export async function pruneAnswers(tx: Tx, before: number): Promise<PrunedBatch> {
  const limit = pruneBatchSize(tx);
  const old = tx
    .selectFrom('idempotency')
    .select(['merchant_id', 'key'])
    .where('created_at', '<=', before)
    .orderBy('created_at')
    .limit(limit);
  const { numDeletedRows } = await tx
    .deleteFrom('idempotency')
    .where(({ eb, refTuple }) => eb(refTuple('merchant_id', 'key'), 'in', old.$asTuple('merchant_id', 'key')))
    // Checked again, because a concurrent call may have used the key again.
    .where('created_at', '<=', before)
    .executeTakeFirst();
  const rows = Number(numDeletedRows);
  return { rows, after: rows < limit ? null : '' };
}
