import { sql } from 'kysely';
import { countRows } from '../../db/count-rows.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { prepared, preparedWith } from '../../db/prepared.ts';
import type { Instant } from '../../db/tables/columns.ts';
import type { Id } from '../../kernel/ids.ts';
import { BLOCKED, DUE, ONE } from '../store.ts';
import { RETRY_WAIT_MS_MAX } from './schedule.ts';

/** The values of `blocked` of the deliveries that may be claimed, as literals for the partial indexes. */
export const READY = { fresh: sql.lit(BLOCKED.ready), recovery: sql.lit(BLOCKED.recoveryReady) };
/**
 * When a delivery was planned to be sent. A claim does not change it; `next_attempt_at` decides whether a delivery may be
 * claimed.
 */
export const SCHEDULED_AT = sql<Instant>`coalesce(retry_at, created_at)`;
/** Always true: the condition of the indexes for queries over all merchants, which keeps single-merchant queries off them. */
export const OF_ALL_MERCHANTS = sql<boolean>`created_at > 0`;
/** How many claims at the head of a queue `nextDueAt` reads; polling finds the others. */
const CLAIMS_READ_MAX = 256;
/** The maximum number of deliveries that one call of `bringForward` reschedules. */
const RESCHEDULED_MAX = 1000;
/** Where `queueState` stops counting. */
const COUNTED_MAX = 10_001;

/** Events sent as they happen, and events that a recovery sends again. Each has its own index and slots. */
export type Queue = 'fresh' | 'recovery';

/** Returns at most `limit` deliveries due at `now`, oldest first. */
export const dueHead = preparedWith((db, { now }: { now: number }, queue: Queue, limit: number) =>
  dueBy(db, queue, now).where(OF_ALL_MERCHANTS).select(['id', 'merchant_id']).limit(sql.lit(limit)),
);

/** Returns at most `limit` of one merchant's deliveries due at `now`, oldest first. */
export const dueOfMerchant = preparedWith(
  (db, { merchantId, now }: { merchantId: Id<'mer'>; now: number }, queue: Queue, limit: number) =>
    dueBy(db, queue, now)
      .select(['id', 'merchant_id'])
      .where('merchant_id', '=', merchantId)
      .limit(sql.lit(limit)),
);

/** Due deliveries of these merchants, without some of them. */
type Unlocked = { merchants: readonly Id<'mer'>[]; now: number; except: readonly Id<'dlv'>[] };

/**
 * PostgreSQL only: locks and returns deliveries due at `now` that no other process has locked, oldest first, at most `limit` of
 * each merchant.
 */
export const lockUnlocked = preparedWith(
  (_db, { merchants, now, except }: Unlocked, queue: Queue, limit: number) => sql<{
    id: Id<'dlv'>;
    merchant_id: Id<'mer'>;
  }>`
        select due.id, due.merchant_id from unnest(${merchants}::text[]) as wanted (merchant_id)
        cross join lateral (
          select d.id, d.merchant_id from deliveries d
          where d.state = 'due' and d.blocked = ${READY[queue]} and d.merchant_id = wanted.merchant_id
            and coalesce(d.retry_at, d.created_at) <= ${now} and d.next_attempt_at <= ${now}
            and d.id <> all(${except}::text[])
          order by coalesce(d.retry_at, d.created_at) limit ${sql.lit(limit)} for update skip locked) as due`,
);

function dueBy(db: Queryable, queue: Queue, now: number) {
  return plannedBy(db, queue, now).where('next_attempt_at', '<=', now);
}

/** Deliveries that are due at `now` or claimed, in scheduled order. */
function plannedBy(db: Queryable, queue: Queue, now: number) {
  return db
    .selectFrom('deliveries')
    .where('state', '=', DUE)
    .where('blocked', '=', READY[queue])
    .where(SCHEDULED_AT, '<=', now)
    .orderBy(SCHEDULED_AT);
}

/**
 * Returns the next merchants after `after`, by id, that have unfinished deliveries, each with whether one is due at `now`.
 * It jumps from merchant to merchant in the index, so the cost does not depend on the length of the queues.
 */
export const walkMerchants = preparedWith(
  (_db, { after, now, limit }: { after: string; now: number; limit: number }, queue: Queue) => {
    const ready = READY[queue];
    return sql<{ merchantId: Id<'mer'>; due: 0 | 1 }>`
      with recursive walk (merchant_id, place) as (
        select (select d.merchant_id from deliveries d
                where d.state = 'due' and d.blocked = ${ready} and d.merchant_id > ${after}
                order by d.merchant_id limit 1), 1
        union all
        select (select d.merchant_id from deliveries d
                where d.state = 'due' and d.blocked = ${ready} and d.merchant_id > walk.merchant_id
                order by d.merchant_id limit 1), walk.place + 1
        from walk where walk.merchant_id is not null and walk.place < ${limit}
      )
      select walk.merchant_id as "merchantId",
             case when (select d.id from deliveries d
                        where d.state = 'due' and d.blocked = ${ready} and d.merchant_id = walk.merchant_id
                          and coalesce(d.retry_at, d.created_at) <= ${now} and d.next_attempt_at <= ${now}
                        order by coalesce(d.retry_at, d.created_at) limit 1) is null then 0 else 1 end as due
      from walk where walk.merchant_id is not null`;
  },
);

/**
 * Returns when the next delivery of either queue falls due after `now`, whether scheduled or claimed until then; null when none
 * does.
 */
export async function nextDueAt(db: Queryable, now: number): Promise<number | null> {
  const [row] = await nextTimes(db, { now });
  const times = Object.values(row ?? {}).flatMap((at) => (at === null ? [] : Number(at)));
  return times.length === 0 ? null : Math.min(...times);
}

const nextTimes = prepared((db, { now }: { now: number }) =>
  db.selectNoFrom([
    nextScheduled(db, 'fresh', now).as('fresh'),
    nextClaimEnd(db, 'fresh', now).as('freshClaim'),
    nextScheduled(db, 'recovery', now).as('recovery'),
    nextClaimEnd(db, 'recovery', now).as('recoveryClaim'),
  ]),
);

function nextScheduled(db: Queryable, queue: Queue, now: number) {
  return db
    .selectFrom('deliveries')
    .select(SCHEDULED_AT.as('at'))
    .where('state', '=', DUE)
    .where('blocked', '=', READY[queue])
    .where(OF_ALL_MERCHANTS)
    .where(SCHEDULED_AT, '>', now)
    .orderBy(SCHEDULED_AT)
    .limit(ONE);
}

function nextClaimEnd(db: Queryable, queue: Queue, now: number) {
  const head = plannedBy(db, queue, now)
    .where(OF_ALL_MERCHANTS)
    .select('next_attempt_at')
    .limit(sql.lit(CLAIMS_READ_MAX))
    .as('head');
  return db
    .selectFrom(head)
    .select((eb) => eb.fn.min('head.next_attempt_at').as('at'))
    .where('head.next_attempt_at', '>', now);
}

/** Returns since when the oldest delivery due at `now` has been due; null when none is. */
export async function oldestDueAt(db: Queryable, now: number, queue: Queue): Promise<number | null> {
  const row = await dueBy(db, queue, now)
    .where(OF_ALL_MERCHANTS)
    .select(SCHEDULED_AT.as('at'))
    .limit(ONE)
    .executeTakeFirst();
  return row === undefined ? null : Number(row.at);
}

/** Whether an unclaimed delivery is planned after `at`. */
export async function isPlannedAfter(db: Queryable, queue: Queue, at: number): Promise<boolean> {
  return (await plannedAfter(db, queue, at, 1).execute()).length > 0;
}

/**
 * Reschedules deliveries that are planned after `at` because the clock was set back. New ones become due at `now`, retries after
 * the longest wait, so that no wait becomes shorter.
 */
export async function bringForward(
  tx: Tx,
  queue: Queue,
  { at, now }: { at: number; now: number },
): Promise<void> {
  const waitMs = sql<number>`case when attempts_count = 0 then 0 else ${sql.lit(RETRY_WAIT_MS_MAX)} end`;
  const plannedAt = sql<number>`cast(${now} as bigint) + ${waitMs}`;
  await tx
    .updateTable('deliveries')
    .set({ next_attempt_at: plannedAt, retry_at: plannedAt })
    .where('id', 'in', plannedAfter(tx, queue, at, RESCHEDULED_MAX))
    // Another process may have claimed it since the subquery read it.
    .where('claim_token', 'is', null)
    .where('finished_at', 'is', null)
    .execute();
}

function plannedAfter(db: Queryable, queue: Queue, at: number, limit: number) {
  return db
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', DUE)
    .where('blocked', '=', READY[queue])
    .where(OF_ALL_MERCHANTS)
    .where(SCHEDULED_AT, '>', at)
    .where('claim_token', 'is', null)
    .orderBy(SCHEDULED_AT)
    .limit(sql.lit(limit));
}

/** Returns how many fresh events wait to be sent at `now`. `due` stops counting at 10,001. */
export async function queueState(
  db: Queryable,
  now: number,
): Promise<{ due: number; oldestDueAgeMs: number | null }> {
  const oldest = await oldestDueAt(db, now, 'fresh');
  if (oldest === null) return { due: 0, oldestDueAgeMs: null };
  const counted = dueBy(db, 'fresh', now)
    .where(OF_ALL_MERCHANTS)
    .clearOrderBy()
    .select('id')
    .limit(COUNTED_MAX)
    .as('found');
  return { due: await countRows(db, counted), oldestDueAgeMs: now - oldest };
}
