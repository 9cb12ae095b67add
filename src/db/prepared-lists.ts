import type { Compilable } from 'kysely';
import type { Queryable } from './database.ts';
import { forEach, prepared } from './prepared.ts';

/** Rows of one statement at most; PostgreSQL numbers no more than 65,535 parameters. */
const ROWS_MAX = 256;

type Given = Record<string, unknown>;
type Query<O> = (db: Queryable, values: Given) => Promise<O[]>;

/**
 * Like `prepared`, for a query over a list of ids: one for each power of two, a list between two of them filled up with its
 * last id. For conditions only: rows to insert must not come twice. An empty list asks nothing.
 */
export function preparedForIds<I extends string, V extends object, O>(
  build: (db: Queryable, ids: I[], values: V) => Compilable<O>,
): (db: Queryable, ids: readonly I[], values: V) => Promise<O[]> {
  const sized = bySize<O>((db, size, given) =>
    build(
      db,
      range(size, (i) => given[`id${i}`] as I),
      given as V,
    ),
  );
  return async (db, ids, values) => {
    if (ids.length === 0) return [];
    const size = 2 ** Math.ceil(Math.log2(ids.length));
    const given = { ...values } as Given;
    for (let i = 0; i < size; i++) given[`id${i}`] = ids[Math.min(i, ids.length - 1)];
    return await sized(size)(db, given);
  };
}

/**
 * Like `prepared`, for a statement that takes rows with these columns: long lists go in as few statements as powers of two
 * allow, so that a handful of queries serve lists of any length. Resolves to the rows of all.
 */
export function preparedForRows<R extends object, O>(
  columns: readonly (keyof R & string)[],
  build: (db: Queryable, rows: R[]) => Compilable<O>,
): (db: Queryable, rows: readonly R[]) => Promise<O[]> {
  const sized = bySize<O>((db, size, given) =>
    build(
      db,
      range(size, (i) => Object.fromEntries(columns.map((column) => [column, given[column + i]])) as R),
    ),
  );
  return async (db, rows) => {
    const found: O[] = [];
    for (let from = 0; from < rows.length; ) {
      const size = Math.min(ROWS_MAX, 2 ** Math.floor(Math.log2(rows.length - from)));
      const given: Given = {};
      for (const [i, row] of rows.slice(from, from + size).entries()) {
        for (const column of columns) given[column + i] = row[column];
      }
      found.push(...(await sized(size)(db, given)));
      from += size;
    }
    return found;
  };
}

function bySize<O>(
  build: (db: Queryable, size: number, given: Given) => Compilable<O>,
): (size: number) => Query<O> {
  return forEach((size: number) => prepared<Given, O>((db, given) => build(db, size, given)));
}

function range<T>(size: number, each: (i: number) => T): T[] {
  return Array.from({ length: size }, (_, i) => each(i));
}
