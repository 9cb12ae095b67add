import type { Compilable } from 'kysely';
import type { Queryable } from './database.ts';
import { forEach, preparedBy } from './prepared.ts';

/** Rows of one statement at most; PostgreSQL numbers no more than 65,535 parameters. */
const ROWS_MAX = 256;

/**
 * Like `prepared`, for a query over a list of ids: one for each power of two, a list between two of them filled up with its
 * last id. For conditions only: rows to insert must not come twice. An empty list asks nothing.
 */
export function preparedForIds<I extends string, V extends object, O>(
  build: (db: Queryable, ids: I[], values: V) => Compilable<O>,
): (db: Queryable, ids: readonly I[], values: V) => Promise<O[]> {
  type Given = { readonly ids: readonly I[]; readonly values: V };
  const sized = forEach((size: number) =>
    preparedBy<StandIns, Given, O>(
      (db, standIns) =>
        build(
          db,
          range(size, (i) => standIns[i] as I),
          standIns as V,
        ),
      (name) => {
        const i = placeOf(name);
        return i === null
          ? ({ values }) => values[name as keyof V]
          : ({ ids }) => ids[Math.min(i, ids.length - 1)];
      },
    ),
  );
  return async (db, ids, values) => {
    if (ids.length === 0) return [];
    return await sized(2 ** Math.ceil(Math.log2(ids.length)))(db, { ids, values });
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
  type Given = { readonly rows: readonly R[]; readonly from: number };
  const sized = forEach((size: number) =>
    preparedBy<StandIns, Given, O>(
      (db, standIns) => {
        // A cell is named by its place, row by row.
        const row = (i: number) => columns.map((column, j) => [column, standIns[i * columns.length + j]]);
        return build(
          db,
          range(size, (i) => Object.fromEntries(row(i)) as R),
        );
      },
      (name) => {
        const place = placeOf(name) ?? 0;
        const i = Math.floor(place / columns.length);
        const column = columns[place % columns.length];
        return ({ rows, from }) => column && rows[from + i]?.[column];
      },
    ),
  );
  return async (db, rows) => {
    const found: O[] = [];
    for (let from = 0; from < rows.length; ) {
      const size = Math.min(ROWS_MAX, 2 ** Math.floor(Math.log2(rows.length - from)));
      found.push(...(await sized(size)(db, { rows, from })));
      from += size;
    }
    return found;
  };
}

/** Values of a list are asked for by their places, others by their names. */
type StandIns = Record<string, unknown>;

/** The place in the list that a stand-in's name tells; null when it is the name of another value. */
function placeOf(name: string): number | null {
  return /^\d+$/.test(name) ? Number(name) : null;
}

function range<T>(size: number, each: (i: number) => T): T[] {
  return Array.from({ length: size }, (_, i) => each(i));
}
