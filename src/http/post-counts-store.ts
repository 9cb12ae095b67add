import type { Tx } from '../db/database.ts';
import { hasRowLocks } from '../db/row-locks.ts';

/** Rows deleted per new client: above 1, so that the table does not outgrow the clients of a minute. */
const ENDED_CLEARED_MAX = 4;

/** Counts one POST of a client. A minute starts with the client's first POST after the last minute ended. */
export async function countPost(
  tx: Tx,
  client: string,
  now: number,
  windowMs: number,
): Promise<{ count: number; endsAt: number }> {
  const row = await tx
    .insertInto('post_counts')
    .values({ client, count: 1, ends_at: now + windowMs })
    .onConflict((conflict) =>
      conflict.column('client').doUpdateSet((eb) => {
        const ended = eb('post_counts.ends_at', '<=', now);
        return {
          count: eb
            .case()
            .when(ended)
            .then(1)
            .else(eb('post_counts.count', '+', 1))
            .end(),
          ends_at: eb
            .case()
            .when(ended)
            .then(now + windowMs)
            .else(eb.ref('post_counts.ends_at'))
            .end(),
        };
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow();
  if (row.count === 1) await clearEnded(tx, now);
  return { count: row.count, endsAt: row.ends_at };
}

async function clearEnded(tx: Tx, now: number): Promise<void> {
  const ended = tx
    .selectFrom('post_counts')
    .select('client')
    .where('ends_at', '<=', now)
    .orderBy('ends_at')
    .limit(ENDED_CLEARED_MAX)
    .$if(hasRowLocks(tx), (query) => query.forUpdate().skipLocked());
  await tx.deleteFrom('post_counts').where('client', 'in', ended).execute();
}
