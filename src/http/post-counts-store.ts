import type { Tx } from '../db/database.ts';
import { CLOCK_DIFFERENCE_MS_MAX } from '../kernel/clock.ts';

/** Rows deleted per new client: above 1, so that the table does not outgrow the clients of a minute. */
const ENDED_CLEARED_MAX = 4;

/** Whether a window ends at `endsAt`. One that ends later than a window lasts was opened before the clock was set back. */
export function isOpenUntil(endsAt: number, now: number, windowMs: number): boolean {
  return endsAt > now && endsAt <= now + windowMs + CLOCK_DIFFERENCE_MS_MAX;
}

/**
 * Counts one call of a client. A window starts with the client's first call after the last window ended, or after the clock was
 * set back.
 */
export async function countPost(tx: Tx, client: string, now: number, windowMs: number) {
  const row = await tx
    .insertInto('post_counts')
    .values({ client, count: 1, ends_at: now + windowMs })
    .onConflict((conflict) =>
      conflict.column('client').doUpdateSet((eb) => {
        const endsAt = eb.ref('post_counts.ends_at');
        const latest = now + windowMs + CLOCK_DIFFERENCE_MS_MAX;
        const ifEnded = eb.case().when(eb.or([eb(endsAt, '<=', now), eb(endsAt, '>', latest)]));
        return {
          count: ifEnded
            .then(1)
            .else(eb('post_counts.count', '+', 1))
            .end(),
          ends_at: ifEnded
            .then(now + windowMs)
            .else(endsAt)
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
    .forUpdate()
    .skipLocked();
  await tx.deleteFrom('post_counts').where('client', 'in', ended).execute();
}

/** When the last open window of these clients ends; null when all have ended. Their windows last at most `windowMsMax`. */
export async function latestEnd(
  tx: Tx,
  clients: readonly string[],
  now: number,
  windowMsMax: number,
): Promise<number | null> {
  const row = await tx
    .selectFrom('post_counts')
    .select('ends_at')
    .where('client', 'in', clients)
    .where('ends_at', '>', now)
    .where('ends_at', '<=', now + windowMsMax + CLOCK_DIFFERENCE_MS_MAX)
    .orderBy('ends_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.ends_at ?? null;
}

export async function openWindow(tx: Tx, client: string, endsAt: number): Promise<void> {
  await tx
    .insertInto('post_counts')
    .values({ client, count: 1, ends_at: endsAt })
    .onConflict((conflict) => conflict.column('client').doUpdateSet({ ends_at: endsAt }))
    .execute();
}

export async function discountPost(tx: Tx, client: string): Promise<void> {
  await tx
    .updateTable('post_counts')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('client', '=', client)
    .execute();
}

export async function forgetClients(tx: Tx, clients: readonly string[]): Promise<void> {
  await tx.deleteFrom('post_counts').where('client', 'in', clients).execute();
}
