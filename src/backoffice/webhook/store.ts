import { sql } from 'kysely';
import { countList } from '../../db/count-rows.ts';
import type { Queryable } from '../../db/database.ts';
import type { DeliveryState, EventKind } from '../../db/tables/webhooks.ts';
import type { Id } from '../../kernel/ids.ts';
import { MISSED } from '../../webhooks/recovery/store.ts';

const MISSED_STATES = new Set<LogState>(['undelivered', 'skipped', 'missed']);
// A literal, because engines do not use a partial index for a parameter.
const IS_TEST = sql<boolean>`kind = 'webhook.test'`;

/** The maximum number of deliveries that are examined for missed events. */
const MISSED_EXAMINED_MAX = 1000;

/** `missed`: the last delivery of each payment event that was not delivered and is not due. */
export type LogState = DeliveryState | 'missed';

interface LogFilter {
  state?: LogState | undefined;
  kind?: EventKind | undefined;
  /** The lowest id, inclusive. */
  from?: Id<'dlv'> | undefined;
  /** The highest id, exclusive. */
  before?: Id<'dlv'> | undefined;
}

const COLUMNS = [
  ...(['id', 'event_id', 'transaction_id', 'kind', 'state', 'attempts_count', 'recovery_id'] as const),
  ...(['lane_position', 'created_at', 'finished_at', 'next_attempt_at'] as const),
] as const;
export type DeliveryRow = Awaited<ReturnType<typeof deliveryLog>>[number];

/** The merchant's deliveries that match, newest first. */
export async function deliveryLog(db: Queryable, merchantId: Id<'mer'>, filter: LogFilter, limit: number) {
  return await matching(db, merchantId, filter).select(COLUMNS).orderBy('id', 'desc').limit(limit).execute();
}

export function countDeliveryLog(db: Queryable, merchantId: Id<'mer'>, filter: LogFilter) {
  return countList(db, matching(db, merchantId, filter).select('id'));
}

function matching(db: Queryable, merchantId: Id<'mer'>, filter: LogFilter) {
  let query = db.selectFrom('deliveries').where('merchant_id', '=', merchantId);
  if (filter.state !== undefined && MISSED_STATES.has(filter.state)) query = query.where(MISSED);
  if (filter.state === 'missed') {
    query = query.where('kind', '!=', 'webhook.test').where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('deliveries as other')
            .select('other.id')
            .whereRef('other.event_id', '=', 'deliveries.event_id')
            .where((or) =>
              or.or([
                or('other.state', 'in', ['delivered', 'due']),
                or('other.id', '>', or.ref('deliveries.id')),
              ]),
            ),
        ),
      ),
    );
  } else if (filter.state !== undefined) query = query.where('state', '=', filter.state);
  if (filter.kind === 'webhook.test') query = query.where(IS_TEST);
  else if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
  if (filter.from !== undefined) query = query.where('id', '>=', filter.from);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return query;
}

/** The merchant's delivery `places` rows before `before`, if the state's index contains that many. */
export async function deliveryBack(
  db: Queryable,
  merchantId: Id<'mer'>,
  { before, state }: Pick<LogFilter, 'before' | 'state'>,
  places: number,
) {
  let query = db.selectFrom('deliveries').select(['id', 'created_at']).where('merchant_id', '=', merchantId);
  if (before !== undefined) query = query.where('id', '<', before);
  if (state === 'missed') query = query.where(MISSED);
  return await query
    .orderBy('id', 'desc')
    .limit(1)
    .offset(places - 1)
    .executeTakeFirst();
}

/** The newest deliveries of a transaction, at most `limit`, oldest first. */
export async function deliveriesOf(db: Queryable, transactionId: Id<'tx'>, limit: number) {
  const newest = db.selectFrom('deliveries').where('transaction_id', '=', transactionId);
  const rows = await newest.select(COLUMNS).orderBy('id', 'desc').limit(limit).execute();
  return rows.reverse();
}

/** One delivery, if it is the merchant's. */
export async function findOwnDelivery(db: Queryable, merchantId: Id<'mer'>, id: Id<'dlv'>) {
  return await db
    .selectFrom('deliveries')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
}

/** The event's sequence number, null until it is assigned, and the newest attempt of each of these deliveries. */
export async function deliveryDetails(db: Queryable, ids: readonly Id<'dlv'>[]) {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .leftJoin('delivery_attempts', (join) =>
      join
        .onRef('delivery_attempts.delivery_id', '=', 'deliveries.id')
        .onRef('delivery_attempts.number', '=', 'deliveries.attempts_count'),
    )
    .select(['deliveries.id as deliveryId', 'events.sequence as number'])
    .select(['duration_ms as durationMs', 'status', 'error'])
    .where('deliveries.id', 'in', ids)
    .execute();
}

/** The attempts of a delivery with the endpoint's responses and the details for operators. */
export async function attemptsWithAnswers(db: Queryable, id: Id<'dlv'>) {
  return await db
    .selectFrom('delivery_attempts')
    // The duration is null while an attempt runs, or when a crash interrupted it.
    .select(['number', 'started_at as startedAt', 'duration_ms as durationMs', 'status', 'error'])
    // The start of the response body.
    .select(['response as answer', 'error_detail as errorDetail'])
    .where('delivery_id', '=', id)
    .orderBy('number')
    .execute();
}

/**
 * The payment events that were not delivered and are not due, and when the oldest of their deliveries ended; null when there are
 * none. Examines the newest 1000 deliveries that failed or were skipped; `more` means that there are older ones, `many` that more
 * than isolated events are lost among the newest deliveries.
 */
export async function missedEvents(db: Queryable, merchantId: Id<'mer'>) {
  const newest = db
    .selectFrom('deliveries')
    .select(['event_id', 'kind', 'finished_at'])
    .where('merchant_id', '=', merchantId)
    .where(MISSED)
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MISSED_EXAMINED_MAX);
  const { examined, events, since } = await db
    .with('newest', () => newest)
    .selectFrom('newest')
    .select((eb) => [
      eb
        .selectFrom('newest as newest_seen')
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('examined'),
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
  if (since === null) return null;
  const more = Number(examined) === MISSED_EXAMINED_MAX;
  const losing = await losingMany(db, [merchantId]);
  return { events: Number(events), since: Number(since), more, many: losing.has(merchantId) };
}

const RECENT_EXAMINED = 500;
/** Up to this percentage, lost events are isolated failures of a working endpoint. */
const LOST_PERCENT_MAX = 2;

/** The merchants of `ids` that have lost more than isolated payment events among their newest deliveries. */
export async function losingMany(db: Queryable, ids: readonly Id<'mer'>[]): Promise<Set<Id<'mer'>>> {
  if (ids.length === 0) return new Set();
  // Positive when the share of lost events is above the limit.
  const { rows } = await sql<{ id: Id<'mer'> }>`
    select m.id from merchants m
    where m.id in (${sql.join(ids)}) and (
      select sum(case when newest.state = 'delivered' then ${sql.lit(-LOST_PERCENT_MAX)} else ${sql.lit(100 - LOST_PERCENT_MAX)} end)
      from (
        select d.kind, d.state from deliveries d
        where d.merchant_id = m.id
        order by d.id desc
        limit ${sql.lit(RECENT_EXAMINED)}
      ) as newest
      where newest.kind <> 'webhook.test' and newest.state <> 'due'
    ) > 0`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/** The events of one merchant are counted up to this number. */
const UNDELIVERED_COUNTED_MAX = 100;

/** The merchants with payment events that ended undelivered after `since`, of `ids` or of all with an active webhook, highest count first. */
export async function undeliveredByMerchant(
  db: Queryable,
  since: number,
  { ids, limit }: { ids?: readonly Id<'mer'>[]; limit: number },
) {
  if (ids?.length === 0) return [];
  const which = ids === undefined ? sql`m.webhook_enabled = 1` : sql`m.id in (${sql.join(ids)})`;
  // The first condition on d is the condition of the partial index.
  const { rows } = await sql<{ id: Id<'mer'>; name: string; missed: number }>`
    select counted.id, counted.name, counted.missed from (
      select m.id, m.name, (
        select count(*) from (
          select d.id from deliveries d
          where d.state in ('undelivered', 'skipped') and d.state = 'undelivered'
            and d.kind <> 'webhook.test' and d.merchant_id = m.id and d.finished_at > ${since}
            and not exists (
              select 1 from deliveries other
              where other.event_id = d.event_id
                and (other.state in ('delivered', 'due') or other.state = 'undelivered' and other.id > d.id)
            )
          limit ${sql.lit(UNDELIVERED_COUNTED_MAX + 1)}
        ) as found
      ) as missed
      from merchants m where ${which}
    ) as counted
    where counted.missed > 0
    order by counted.missed desc, counted.id
    limit ${limit}`.execute(db);
  return rows.map((row) => ({
    merchantId: row.id,
    name: row.name,
    count: Math.min(Number(row.missed), UNDELIVERED_COUNTED_MAX),
    more: Number(row.missed) > UNDELIVERED_COUNTED_MAX,
  }));
}

/** The time of a merchant's last successful delivery, among its newest deliveries. */
export async function lastDelivered(db: Queryable, merchantId: Id<'mer'>): Promise<number | null> {
  const row = await db
    .selectFrom(
      db
        .selectFrom('deliveries')
        .select(['state', 'finished_at'])
        .where('merchant_id', '=', merchantId)
        .orderBy('id', 'desc')
        .limit(sql.lit(MISSED_EXAMINED_MAX))
        .as('newest'),
    )
    .select((eb) => eb.fn.max('finished_at').as('at'))
    .where('state', '=', 'delivered')
    .executeTakeFirst();
  return row?.at ?? null;
}

/** The due time of a merchant's automatic recovery; null when it is not due, or has not begun. */
export async function autoRecoveryDueAt(db: Queryable, merchantId: Id<'mer'>): Promise<number | null> {
  const row = await db
    .selectFrom('auto_recoveries')
    .select('due_at')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row?.due_at ?? null;
}
