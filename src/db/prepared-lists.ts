import type { Compilable } from 'kysely';
import type { Queryable } from './database.ts';

/** Rows of one statement at most; PostgreSQL numbers no more than 65,535 parameters. */
const ROWS_MAX = 256;

/** Runs a query over a list of ids; an empty list runs nothing. */
export function preparedForIds<I extends string, V extends object, O>(
  build: (db: Queryable, ids: I[], values: V) => Compilable<O>,
): (db: Queryable, ids: readonly I[], values: V) => Promise<O[]> {
  return async (db, ids, values) =>
    ids.length === 0 ? [] : (await db.executeQuery(build(db, [...ids], values))).rows;
}

/** Runs a statement that takes rows, a few hundred at a time. Resolves to the rows of all. */
export function preparedForRows<R extends object, O>(
  _columns: readonly (keyof R & string)[],
  build: (db: Queryable, rows: R[]) => Compilable<O>,
): (db: Queryable, rows: readonly R[]) => Promise<O[]> {
  return async (db, rows) => {
    const found: O[] = [];
    for (let from = 0; from < rows.length; from += ROWS_MAX) {
      found.push(...(await db.executeQuery(build(db, rows.slice(from, from + ROWS_MAX)))).rows);
    }
    return found;
  };
}
