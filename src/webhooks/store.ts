import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import type { EventKind, EventTable } from '../db/tables.ts';
import type { Id } from '../kernel/ids.ts';

// Literals, not parameters: a partial index is only chosen when the statement's text proves its condition.
const DUE = sql.lit('due' as const);
// A limit as well: SQLite prepares a statement anew each time a parameter is bound to its limit, twice the cost of the search.
const ONE = sql.lit(1);

/** Fresh events, and what a recovery queued: each has its own queue, and whoever reads one does not touch the other. */
export type Lane = 'fresh' | 'recovery';

/** What `blocked` says of a delivery of this lane that may be sent. */
const OPEN = { fresh: sql.lit(0 as const), recovery: sql.lit(2 as const) };

/**
 * Keeps an event. Its position comes after every event that waits for its number and is committed: order of insertion
 * where one unit writes at a time, and order of cause and effect where several do.
 */
export async function insertEvent(
  tx: Tx,
  event: Omit<Insertable<EventTable>, 'sequence' | 'position'>,
): Promise<void> {
  await tx
    .insertInto('events')
    .values((eb) => ({
      ...event,
      position: eb.fn.coalesce(
        eb
          .selectFrom('events as waiting')
          .select((inner) => inner('waiting.position', '+', 1).as('next'))
          .where('waiting.sequence', 'is', null)
          .where('waiting.position', '>=', 0)
          .orderBy('waiting.position', 'desc')
          .limit(ONE),
        sql.lit(1),
      ),
    }))
    .execute();
}

/** A delivery that is due at once, unless its lane blocks it. */
export interface NewDelivery {
  id: Id<'dlv'>;
  eventId: Id<'evt'>;
  merchantId: Id<'mer'>;
  transactionId: Id<'tx'> | null;
  kind: EventKind;
  lanePosition: number | null;
  blocked: boolean;
  now: number;
}

/** Puts a delivery into the outbox. */
export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<void> {
  await tx
    .insertInto('deliveries')
    .values({
      id: delivery.id,
      event_id: delivery.eventId,
      merchant_id: delivery.merchantId,
      transaction_id: delivery.transactionId,
      kind: delivery.kind,
      state: 'due',
      lane_position: delivery.lanePosition,
      blocked: delivery.blocked ? 1 : 0,
      attempts_count: 0,
      next_attempt_at: delivery.now,
      claim_token: null,
      claimed_until: null,
      created_at: delivery.now,
      finished_at: null,
    })
    .execute();
}

/** Whether an earlier delivery of the transaction's lane is unfinished. */
export async function laneIsBusy(db: Queryable, transactionId: Id<'tx'>, position: number): Promise<boolean> {
  const earlier = await db
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', DUE)
    .where('transaction_id', '=', transactionId)
    .where('lane_position', '<', position)
    .where('blocked', '<', 2)
    .limit(ONE)
    .executeTakeFirst();
  return earlier !== undefined;
}

/** A delivery that may be sent now. */
export interface DueDelivery {
  id: Id<'dlv'>;
  merchantId: Id<'mer'>;
}

/** The deliveries due at `now`, oldest first. */
export async function dueHead(
  db: Queryable,
  now: number,
  limit: number,
  lane: Lane = 'fresh',
): Promise<DueDelivery[]> {
  return await db
    .selectFrom('deliveries')
    .select(['id', 'merchant_id as merchantId'])
    .where('state', '=', DUE)
    .where('blocked', '=', OPEN[lane])
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(sql.lit(limit))
    .execute();
}

/** One merchant's deliveries due at `now`, oldest first. */
export async function dueOfMerchant(
  db: Queryable,
  merchantId: Id<'mer'>,
  now: number,
  limit: number,
  lane: Lane = 'fresh',
): Promise<DueDelivery[]> {
  return await db
    .selectFrom('deliveries')
    .select(['id', 'merchant_id as merchantId'])
    .where('state', '=', DUE)
    .where('blocked', '=', OPEN[lane])
    .where('merchant_id', '=', merchantId)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(sql.lit(limit))
    .execute();
}

/**
 * The next merchants after `after`, by id, that have unfinished deliveries, each with whether one is due at `now`. Jumps from
 * merchant to merchant in the index, so that its cost does not depend on how long anybody's queue is.
 */
export async function walkMerchants(
  db: Queryable,
  after: string,
  now: number,
  limit: number,
  lane: Lane = 'fresh',
): Promise<{ merchantId: Id<'mer'>; due: boolean }[]> {
  const open = OPEN[lane];
  const { rows } = await sql<{ merchant_id: Id<'mer'>; due: number }>`
    with recursive walk (merchant_id, place) as (
      select (select d.merchant_id from deliveries d
              where d.state = 'due' and d.blocked = ${open} and d.merchant_id > ${after}
              order by d.merchant_id limit 1), 1
      union all
      select (select d.merchant_id from deliveries d
              where d.state = 'due' and d.blocked = ${open} and d.merchant_id > walk.merchant_id
              order by d.merchant_id limit 1), walk.place + 1
      from walk where walk.merchant_id is not null and walk.place < ${limit}
    )
    select walk.merchant_id,
           case when exists (select 1 from deliveries d
                             where d.state = 'due' and d.blocked = ${open} and d.merchant_id = walk.merchant_id
                               and d.next_attempt_at <= ${now}) then 1 else 0 end as due
    from walk where walk.merchant_id is not null`.execute(db);
  return rows.map((row) => ({ merchantId: row.merchant_id, due: row.due === 1 }));
}

/** When the next delivery of a lane falls due after `now`; null when none will. */
export async function nextDueAt(db: Queryable, now: number, lane: Lane = 'fresh'): Promise<number | null> {
  const row = await db
    .selectFrom('deliveries')
    .select('next_attempt_at')
    .where('state', '=', DUE)
    .where('blocked', '=', OPEN[lane])
    .where('next_attempt_at', '>', now)
    .orderBy('next_attempt_at')
    .limit(ONE)
    .executeTakeFirst();
  return row?.next_attempt_at == null ? null : Number(row.next_attempt_at);
}

/** How many deliveries of fresh events are due at `now`, counted up to `limit`. */
export async function countDue(db: Queryable, now: number, limit: number): Promise<number> {
  const { n } = await db
    .selectFrom(
      db
        .selectFrom('deliveries')
        .select('id')
        .where('state', '=', DUE)
        .where('blocked', '=', OPEN.fresh)
        .where('next_attempt_at', '<=', now)
        .limit(limit)
        .as('due'),
    )
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Since when the oldest delivery of a fresh event due at `now` has been due; null when none is. */
export async function oldestDueAt(db: Queryable, now: number, lane: Lane = 'fresh'): Promise<number | null> {
  const row = await db
    .selectFrom('deliveries')
    .select('next_attempt_at')
    .where('state', '=', DUE)
    .where('blocked', '=', OPEN[lane])
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(ONE)
    .executeTakeFirst();
  return row?.next_attempt_at == null ? null : Number(row.next_attempt_at);
}

/** The merchant's webhook URL; undefined when there is no such merchant. */
export async function findWebhookUrl(
  db: Queryable,
  merchantId: Id<'mer'>,
): Promise<{ webhook_url: string | null } | undefined> {
  return await db
    .selectFrom('merchants')
    .select('webhook_url')
    .where('id', '=', merchantId)
    .executeTakeFirst();
}

/** One delivery; undefined when there is no such one. */
export async function findDelivery(db: Queryable, id: Id<'dlv'>) {
  return await db
    .selectFrom('deliveries')
    .select(['event_id', 'merchant_id', 'transaction_id', 'kind'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A transaction's events, oldest first; a transaction has a handful at most. */
export async function eventsOfTransaction(db: Queryable, transactionId: Id<'tx'>) {
  return await db
    .selectFrom('events')
    .select(['id', 'kind', 'created_at', 'sequence'])
    .where('transaction_id', '=', transactionId)
    .orderBy('id')
    .execute();
}

/** A transaction's deliveries, newest first. */
export async function deliveriesOfTransaction(db: Queryable, transactionId: Id<'tx'>, limit: number) {
  return await db
    .selectFrom('deliveries')
    .select(['id', 'event_id', 'kind', 'state'])
    .where('transaction_id', '=', transactionId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The attempts of some deliveries, in their order. */
export async function attemptsOfDeliveries(db: Queryable, deliveryIds: readonly Id<'dlv'>[]) {
  return await db
    .selectFrom('delivery_attempts')
    .select(['delivery_id', 'number', 'started_at', 'duration_ms', 'status', 'error'])
    .where('delivery_id', 'in', deliveryIds)
    .orderBy('delivery_id')
    .orderBy('number')
    .execute();
}

/** A merchant's events with a number above `after`, in its order. */
export async function eventsAfter(db: Queryable, merchantId: Id<'mer'>, after: number, limit: number) {
  return await db
    .selectFrom('events')
    .select(['sequence', 'id', 'kind', 'created_at', 'transaction_id', 'body'])
    .where('merchant_id', '=', merchantId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
}
