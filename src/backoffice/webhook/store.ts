import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { DeliveryState, EventKind } from '../../db/tables/tables.ts';
import type { Id } from '../../kernel/ids.ts';

// Literals: a partial index is only chosen when the statement's text proves its condition.
const MISSED = sql<boolean>`state in ('undelivered', 'skipped')`;
const IS_TEST = sql<boolean>`kind = 'webhook.test'`;

/** Deliveries that ended in vain and are looked at, the newest, to tell how many events are missed. */
export const MISSED_LOOKED_AT_MAX = 1000;

/** Which deliveries of a merchant; what is left out admits all. */
export interface LogFilter {
  state?: DeliveryState | undefined;
  kind?: EventKind | undefined;
  /** The lowest id, itself included. */
  from?: Id<'dlv'> | undefined;
  /** Only ids below it. */
  before?: Id<'dlv'> | undefined;
}

/** A merchant's deliveries that fit, newest first. */
export async function deliveryLog(db: Queryable, merchantId: Id<'mer'>, filter: LogFilter, limit: number) {
  let query = db
    .selectFrom('deliveries')
    .select(['id', 'event_id', 'transaction_id', 'kind', 'state', 'attempts_count', 'recovery_id'])
    .select(['created_at', 'finished_at', 'next_attempt_at'])
    .where('merchant_id', '=', merchantId);
  if (filter.state === 'undelivered' || filter.state === 'skipped') query = query.where(MISSED);
  if (filter.state !== undefined) query = query.where('state', '=', filter.state);
  if (filter.kind === 'webhook.test') query = query.where(IS_TEST);
  else if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
  if (filter.from !== undefined) query = query.where('id', '>=', filter.from);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return await query.orderBy('id', 'desc').limit(limit).execute();
}

/** The merchant's delivery that stands `places` further back than `before`; undefined when there are not so many. */
export async function deliveryFurtherBack(
  db: Queryable,
  merchantId: Id<'mer'>,
  before: Id<'dlv'> | undefined,
  places: number,
): Promise<{ id: Id<'dlv'>; created_at: number } | undefined> {
  let query = db.selectFrom('deliveries').select(['id', 'created_at']).where('merchant_id', '=', merchantId);
  if (before !== undefined) query = query.where('id', '<', before);
  return await query
    .orderBy('id', 'desc')
    .limit(1)
    .offset(places - 1)
    .executeTakeFirst();
}

/** One delivery of the merchant; undefined when it has no such one. */
export async function findOwnDelivery(db: Queryable, merchantId: Id<'mer'>, id: Id<'dlv'>) {
  return await db
    .selectFrom('deliveries')
    .select(['id', 'event_id', 'transaction_id', 'kind', 'state', 'attempts_count', 'recovery_id'])
    .select(['created_at', 'finished_at', 'next_attempt_at'])
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
}

/** The numbers of these events among their merchant's; null for one that has none yet. */
export async function eventNumbers(
  db: Queryable,
  ids: readonly Id<'evt'>[],
): Promise<Map<Id<'evt'>, number | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('events').select(['id', 'sequence']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, sequence }) => [id, sequence === null ? null : Number(sequence)]));
}

/** The newest attempt of each of these deliveries. */
export async function lastAttempts(db: Queryable, ids: readonly Id<'dlv'>[]) {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('delivery_attempts')
    .innerJoin('deliveries', (join) =>
      join
        .onRef('deliveries.id', '=', 'delivery_attempts.delivery_id')
        .onRef('deliveries.attempts_count', '=', 'delivery_attempts.number'),
    )
    .select(['delivery_id', 'duration_ms', 'status', 'error'])
    .where('delivery_id', 'in', ids)
    .execute();
}

/** The attempts of a delivery in their order, with what the endpoint answered; nothing that is the operator's alone. */
export async function attemptsWithAnswers(db: Queryable, id: Id<'dlv'>) {
  return await db
    .selectFrom('delivery_attempts')
    .select(['number', 'started_at', 'duration_ms', 'status', 'error', 'response'])
    .where('delivery_id', '=', id)
    .orderBy('number')
    .execute();
}

/**
 * The events of payments that the merchant missed and that nothing is about to bring, and the end of the oldest such
 * delivery, among its newest 1000 that ended in vain. `looked` says how many of those there were.
 */
export async function countMissed(
  db: Queryable,
  merchantId: Id<'mer'>,
): Promise<{ events: number; since: number | null; looked: number }> {
  const newest = db
    .selectFrom('deliveries')
    .select(['event_id', 'kind', 'finished_at'])
    .where('merchant_id', '=', merchantId)
    .where(MISSED)
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MISSED_LOOKED_AT_MAX);
  const row = await db
    .with('newest', () => newest)
    .selectFrom('newest')
    .select((eb) => [
      eb
        .selectFrom('newest as newest_seen')
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('looked'),
      eb.fn.count<number>('newest.event_id').distinct().as('events'),
      eb.fn.min('newest.finished_at').as('since'),
    ])
    .where('newest.kind', '!=', 'webhook.test')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('deliveries as other')
            .select('other.id')
            .whereRef('other.event_id', '=', 'newest.event_id')
            .where('other.state', 'in', ['delivered', 'due']),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return {
    events: Number(row.events),
    since: row.since === null ? null : Number(row.since),
    looked: Number(row.looked ?? 0),
  };
}
