import type { Compilable } from 'kysely';
import type { Queryable } from './database.ts';

/** Rows per statement; PostgreSQL allows 65,535 parameters. */
const ROWS_MAX = 256;

/** A query over a list of ids. An empty list runs no statement. */
export function queryByIds<I extends string, V extends object, O>(
  build: (db: Queryable, ids: I[], values: V) => Compilable<O>,
): (db: Queryable, ids: readonly I[], values: V) => Promise<O[]> {
  return async (db, ids, values) =>
    ids.length === 0 ? [] : (await db.executeQuery(build(db, [...ids], values))).rows;
}

/** A statement that takes rows, split where there are too many for one. Resolves to the rows of all statements. */
export function queryWithRows<R extends object, O>(
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
