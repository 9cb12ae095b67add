import type { Tx } from '../db/database.ts';
import type { DailyMethodTotalTable, DailyTotalTable } from '../db/totals-tables.ts';

/** Adds `sum` to the row of its merchant and day, which it makes when there is none. */
export async function addToDay(tx: Tx, sum: DailyTotalTable): Promise<void> {
  await tx
    .insertInto('daily_totals')
    .values(sum)
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'day']).doUpdateSet((eb) => ({
        created_count: eb('daily_totals.created_count', '+', eb.ref('excluded.created_count')),
        created_cents: eb('daily_totals.created_cents', '+', eb.ref('excluded.created_cents')),
        ended_count: eb('daily_totals.ended_count', '+', eb.ref('excluded.ended_count')),
        ended_cents: eb('daily_totals.ended_cents', '+', eb.ref('excluded.ended_cents')),
      })),
    )
    .execute();
}

/** Adds `sum` to the row of its merchant, day and method, which it makes when there is none. */
export async function addToMethodDay(tx: Tx, sum: DailyMethodTotalTable): Promise<void> {
  await tx
    .insertInto('daily_method_totals')
    .values(sum)
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'day', 'method']).doUpdateSet((eb) => ({
        attempts_count: eb('daily_method_totals.attempts_count', '+', eb.ref('excluded.attempts_count')),
        paid_count: eb('daily_method_totals.paid_count', '+', eb.ref('excluded.paid_count')),
        paid_cents: eb('daily_method_totals.paid_cents', '+', eb.ref('excluded.paid_cents')),
      })),
    )
    .execute();
}
