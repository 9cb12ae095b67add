import { type Insertable, type RawBuilder, sql } from 'kysely';
import { isPostgres, type Queryable } from '../db/database.ts';
import { queryWithRows } from '../db/list-queries.ts';
import { namesOf, selectRecords } from '../db/recordset.ts';
import type { DailyMethodTotalTable, DailyTotalTable } from '../db/tables/payments.ts';

/** The increments of a merchant's day. */
export type DaySum = Omit<Insertable<DailyTotalTable>, 'part'>;
export type MethodDaySum = Omit<Insertable<DailyMethodTotalTable>, 'part'>;

/** One of 16 shards, by the server process of the connection, so that concurrent commits rarely wait for a row. */
const SHARD_OF_CONNECTION = sql<number>`pg_backend_pid() % 16`;

const DAY_COLUMNS = {
  merchant_id: 'text',
  day: 'text',
  created_count: 'bigint',
  created_cents: 'bigint',
  ended_count: 'bigint',
  ended_cents: 'bigint',
} as const;
const METHOD_DAY_COLUMNS = {
  merchant_id: 'text',
  day: 'text',
  method: 'text',
  attempts_count: 'bigint',
  paid_count: 'bigint',
  paid_cents: 'bigint',
} as const;

/** The query of `addToDays`. It writes nothing unless the condition holds. */
export const upsertDays = (db: Queryable, records: string, condition: RawBuilder<unknown> = sql`true`) =>
  db
    .insertInto('daily_totals')
    .columns([...namesOf(DAY_COLUMNS), 'part'])
    .expression(sql<never>`${selectRecords(db, records, DAY_COLUMNS, shardOf(db))} and ${condition}`)
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'day', 'part']).doUpdateSet((eb) => ({
        created_count: eb('daily_totals.created_count', '+', eb.ref('excluded.created_count')),
        created_cents: eb('daily_totals.created_cents', '+', eb.ref('excluded.created_cents')),
        ended_count: eb('daily_totals.ended_count', '+', eb.ref('excluded.ended_count')),
        ended_cents: eb('daily_totals.ended_cents', '+', eb.ref('excluded.ended_cents')),
      })),
    );

/** Adds each sum to the row of its merchant and day; inserts the row when there is none. */
export const addToDays = queryWithRows<DaySum, unknown>(upsertDays);

/** Adds each sum to the row of its merchant, day and method; inserts the row when there is none. */
export const addToMethodDays = queryWithRows<MethodDaySum, unknown>((db, records) =>
  db
    .insertInto('daily_method_totals')
    .columns([...namesOf(METHOD_DAY_COLUMNS), 'part'])
    .expression(selectRecords(db, records, METHOD_DAY_COLUMNS, shardOf(db)))
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'day', 'method', 'part']).doUpdateSet((eb) => ({
        attempts_count: eb('daily_method_totals.attempts_count', '+', eb.ref('excluded.attempts_count')),
        paid_count: eb('daily_method_totals.paid_count', '+', eb.ref('excluded.paid_count')),
        paid_cents: eb('daily_method_totals.paid_cents', '+', eb.ref('excluded.paid_cents')),
      })),
    ),
);

function shardOf(db: Queryable): RawBuilder<number> {
  return isPostgres(db) ? SHARD_OF_CONNECTION : sql.lit(0);
}
