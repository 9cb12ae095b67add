import type { Tx } from '../db/database.ts';
import { type PrunedBatch, pruneBatchSize } from '../db/prune.ts';
import { idFloor } from '../kernel/ids.ts';

/** Deletes finished mails that were queued at `before` or earlier. */
export async function pruneMails(tx: Tx, before: number, after: string): Promise<PrunedBatch> {
  const limit = pruneBatchSize(tx);
  const rows = await tx
    .selectFrom('mails')
    .select(['id', 'due_at'])
    .where('id', '>', after as `mail_${string}`)
    .where('id', '<', idFloor('mail', before))
    .orderBy('id')
    .limit(limit)
    .execute();
  const finished = rows.filter(({ due_at }) => due_at === null).map(({ id }) => id);
  const last = rows.length < limit ? null : (rows.at(-1)?.id ?? null);
  if (finished.length === 0) return { rows: 0, after: last };
  const { numDeletedRows } = await tx.deleteFrom('mails').where('id', 'in', finished).executeTakeFirst();
  return { rows: Number(numDeletedRows), after: last };
}
