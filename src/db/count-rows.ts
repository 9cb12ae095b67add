import type { AliasedExpression, SelectQueryBuilder } from 'kysely';
import type { Queryable } from './database.ts';

/** Counts the rows of a query, which must limit their number. */
export async function countRows(db: Queryable, found: AliasedExpression<unknown, 'found'>): Promise<number> {
  const row = await db
    .selectFrom(found)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** The count over a list stops at this many rows. */
export const COUNTED_MAX = 1000;

/** The number of rows of a list. With `more` there are others, which were not counted. */
export async function countList<DB, TB extends keyof DB, Row>(
  db: Queryable,
  list: SelectQueryBuilder<DB, TB, Row>,
): Promise<{ count: number; more: boolean }> {
  return boundedCount(await countRows(db, list.limit(COUNTED_MAX + 1).as('found')));
}

/** The count of a list from a query that stopped at `COUNTED_MAX + 1`. */
export function boundedCount(found: number): { count: number; more: boolean } {
  return { count: Math.min(found, COUNTED_MAX), more: found > COUNTED_MAX };
}
