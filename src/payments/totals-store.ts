import { type Insertable, sql } from 'kysely';
import type { Queryable } from '../db/database.ts';
import { columnsOf, prepared } from '../db/prepared.ts';
import { hasRowLocks } from '../db/row-locks.ts';
import type { DailyMethodTotalTable, DailyTotalTable } from '../db/tables/payments.ts';

/** The numbers to add to a merchant's day. */
export type DaySum = Omit<Insertable<DailyTotalTable>, 'part'>;
export type MethodDaySum = Omit<Insertable<DailyMethodTotalTable>, 'part'>;

/** One of 16 shards, by the server process of the connection, so that concurrent commits rarely wait for a row. */
const SHARD_OF_CONNECTION = sql<number>`pg_backend_pid() % 16`;

/** Adds `sum` to the row of its merchant and day; inserts the row when there is none. */
export const addToDay = prepared((db, sum: DaySum) =>
  db
    .insertInto('daily_totals')
    .values({
      ...columnsOf(sum, [
        'merchant_id',
        'day',
        'created_count',
        'created_cents',
        'ended_count',
        'ended_cents',
      ]),
      part: shardOf(db),
    })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'day', 'part']).doUpdateSet((eb) => ({
        created_count: eb('daily_totals.created_count', '+', eb.ref('excluded.created_count')),
        created_cents: eb('daily_totals.created_cents', '+', eb.ref('excluded.created_cents')),
        ended_count: eb('daily_totals.ended_count', '+', eb.ref('excluded.ended_count')),
        ended_cents: eb('daily_totals.ended_cents', '+', eb.ref('excluded.ended_cents')),
      })),
    ),
);

/** Adds `sum` to the row of its merchant, day and method; inserts the row when there is none. */
export const addToMethodDay = prepared((db, sum: MethodDaySum) =>
  db
    .insertInto('daily_method_totals')
    .values({
      ...columnsOf(sum, ['merchant_id', 'day', 'method', 'attempts_count', 'paid_count', 'paid_cents']),
      part: shardOf(db),
    })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'day', 'method', 'part']).doUpdateSet((eb) => ({
        attempts_count: eb('daily_method_totals.attempts_count', '+', eb.ref('excluded.attempts_count')),
        paid_count: eb('daily_method_totals.paid_count', '+', eb.ref('excluded.paid_count')),
        paid_cents: eb('daily_method_totals.paid_cents', '+', eb.ref('excluded.paid_cents')),
      })),
    ),
);

function shardOf(db: Queryable) {
  return hasRowLocks(db) ? SHARD_OF_CONNECTION : 0;
}
