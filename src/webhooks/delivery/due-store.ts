import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import { forEach, prepared } from '../../db/prepared.ts';
import type { Id } from '../../kernel/ids.ts';

// Literals, not parameters: a partial index is only chosen when the statement's text proves its condition.
const DUE = sql.lit('due' as const);
// A limit as well: SQLite prepares a statement anew each time a parameter is bound to its limit, twice the cost of the search.
const ONE = sql.lit(1);

/** Fresh events, and what a recovery queued: each has its own queue, and whoever reads one does not touch the other. */
export type Lane = 'fresh' | 'recovery';

/** What `blocked` says of a delivery of this lane that may be sent. */
const OPEN = { fresh: sql.lit(0 as const), recovery: sql.lit(2 as const) };

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
  return await heads(lane)(limit)(db, { now });
}

const heads = forEach((lane: Lane) =>
  forEach((limit: number) =>
    prepared((db, { now }: { now: number }) =>
      db
        .selectFrom('deliveries')
        .select(['id', 'merchant_id as merchantId'])
        .where('state', '=', DUE)
        .where('blocked', '=', OPEN[lane])
        .where('next_attempt_at', '<=', now)
        .orderBy('next_attempt_at')
        .limit(sql.lit(limit)),
    ),
  ),
);

/** One merchant's deliveries due at `now`, oldest first. */
export async function dueOfMerchant(
  db: Queryable,
  merchantId: Id<'mer'>,
  now: number,
  limit: number,
  lane: Lane = 'fresh',
): Promise<DueDelivery[]> {
  return await headsOfMerchant(lane)(limit)(db, { merchantId, now });
}

const headsOfMerchant = forEach((lane: Lane) =>
  forEach((limit: number) =>
    prepared((db, { merchantId, now }: { merchantId: Id<'mer'>; now: number }) =>
      db
        .selectFrom('deliveries')
        .select(['id', 'merchant_id as merchantId'])
        .where('state', '=', DUE)
        .where('blocked', '=', OPEN[lane])
        .where('merchant_id', '=', merchantId)
        .where('next_attempt_at', '<=', now)
        .orderBy('next_attempt_at')
        .limit(sql.lit(limit)),
    ),
  ),
);

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
  const [row] = await nextDue(lane)(db, { now });
  return row?.next_attempt_at == null ? null : Number(row.next_attempt_at);
}

const nextDue = forEach((lane: Lane) =>
  prepared((db, { now }: { now: number }) =>
    db
      .selectFrom('deliveries')
      .select('next_attempt_at')
      .where('state', '=', DUE)
      .where('blocked', '=', OPEN[lane])
      .where('next_attempt_at', '>', now)
      .orderBy('next_attempt_at')
      .limit(ONE),
  ),
);

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
