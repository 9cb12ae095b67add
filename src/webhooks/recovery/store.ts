import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';
import type { DeliveryTable, RecoveryTable } from '../../db/tables/webhooks.ts';
import type { Id } from '../../kernel/ids.ts';
import { lockTransactions } from '../delivery/store.ts';

/** A literal, because engines do not use a partial index for a parameter. */
export const MISSED = sql<boolean>`state in ('undelivered', 'skipped')`;

/** The position of a delivery among the merchant's undelivered and skipped deliveries. */
export interface MissedPlace {
  finishedAt: number;
  id: string;
}

/** An undelivered or skipped delivery. */
export type MissedDelivery = Awaited<ReturnType<typeof missedPage>>[number];

/** Returns the position of the merchant's newest undelivered or skipped delivery; null when there is none. */
export async function lastMissed(db: Queryable, merchantId: Id<'mer'>): Promise<MissedPlace | null> {
  const row = await db
    .selectFrom('deliveries')
    .select(['id', 'finished_at'])
    .where('merchant_id', '=', merchantId)
    .where(MISSED)
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { finishedAt: Number(row.finished_at), id: row.id };
}

/** Returns the undelivered and skipped deliveries after `after` and up to `last`, in the order in which they ended. */
export async function missedPage(
  db: Queryable,
  merchantId: Id<'mer'>,
  page: { after: MissedPlace; last: MissedPlace; limit: number },
) {
  const rows = await db
    .selectFrom('deliveries')
    .select(['id', 'event_id', 'merchant_id', 'transaction_id', 'kind'])
    .select(['state', 'finished_at', 'recovery_id', 'lane_position'])
    .where('merchant_id', '=', merchantId)
    .where(MISSED)
    .where(sql<boolean>`(finished_at, id) > (${page.after.finishedAt}, ${page.after.id})`)
    .where(sql<boolean>`(finished_at, id) <= (${page.last.finishedAt}, ${page.last.id})`)
    .orderBy('finished_at')
    .orderBy('id')
    .limit(page.limit)
    .execute();
  return rows.map(({ finished_at, ...row }) => ({ ...row, finishedAt: Number(finished_at) }));
}

/**
 * Returns every delivery of the events of these deliveries. Locks their transactions first: none of their deliveries may finish
 * before a recovery of them is queued.
 */
export async function lockSiblings(
  tx: Tx,
  missed: readonly Pick<MissedDelivery, 'event_id' | 'merchant_id' | 'transaction_id'>[],
) {
  if (missed.length === 0) return [];
  await lockTransactions(tx, missed);
  return await tx
    .selectFrom('deliveries')
    .select(['event_id', 'state', 'lane_position', 'recovery_id', 'finished_at'])
    .where('event_id', 'in', [...new Set(missed.map(({ event_id }) => event_id))])
    .execute();
}

/**
 * Returns for each transaction of these deliveries the sequence of its newest event, of the first event that a recovery still
 * delivers, and of the newest event with a successful delivery.
 */
export async function transactionSequences(
  db: Queryable,
  missed: readonly Pick<MissedDelivery, 'transaction_id'>[],
) {
  const transactionIds = [...new Set(missed.flatMap(({ transaction_id }) => transaction_id ?? []))];
  if (transactionIds.length === 0) return [];
  return await db
    .selectFrom('deliveries')
    .select(['transaction_id', (eb) => eb.fn.max('lane_position').as('newest')])
    .select(
      sql<number | null>`min(case when state = 'due' and recovery_id is not null then lane_position end)`.as(
        'recovering',
      ),
    )
    .select(
      sql<number | null>`max(case when exists (
        select 1 from deliveries other where other.event_id = deliveries.event_id and other.state = 'delivered'
      ) then lane_position end)`.as('delivered'),
    )
    .where('transaction_id', 'in', transactionIds)
    .groupBy('transaction_id')
    .execute();
}

/** Inserts recovery deliveries, except for events that have one already. Returns how many. */
export async function queueRecoveries(
  tx: Tx,
  deliveries: readonly Insertable<DeliveryTable>[],
): Promise<number> {
  if (deliveries.length === 0) return 0;
  const result = await tx
    .insertInto('deliveries')
    .values([...deliveries])
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0);
}

export async function insertRecovery(tx: Tx, recovery: RecoveryTable): Promise<void> {
  await tx.insertInto('recoveries').values(recovery).execute();
}

/** Marks a run as completely queued and returns it. */
export async function completeRecovery(tx: Tx, id: Id<'rcv'>, now: number) {
  return await tx
    .updateTable('recoveries')
    .set({ queued_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns a merchant's runs, newest first. */
export async function recoveriesOf(db: Queryable, merchantId: Id<'mer'>, limit: number) {
  return await db
    .selectFrom('recoveries')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Counts the deliveries of a run by state. */
export async function countRecovered(db: Queryable, id: Id<'rcv'>) {
  return await db
    .selectFrom('deliveries')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .where('recovery_id', '=', id)
    .groupBy('state')
    .execute();
}
