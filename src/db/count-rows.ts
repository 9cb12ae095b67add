import type { AliasedExpression } from 'kysely';
import type { Queryable } from './database.ts';

/** Counts the rows of a query, which must limit their number. */
export async function countRows(db: Queryable, found: AliasedExpression<unknown, 'found'>): Promise<number> {
  const row = await db
    .selectFrom(found)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
