import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Queryable } from './database.ts';
import { prepared } from './prepared.ts';
import { recordsOf } from './recordset.ts';
import { hasRowLocks } from './row-locks.ts';

/** Rows per statement. */
const ROWS_MAX = 256;

/** The condition that a column is one of the ids. */
export type IsListed = (column: string) => RawBuilder<boolean>;

/** A prepared query over a list of ids. An empty list runs no statement. */
export function queryByIds<I extends string, V extends object, O>(
  build: (db: Queryable, isListed: IsListed, values: V) => Compilable<O>,
): (db: Queryable, ids: readonly I[], values: V) => Promise<O[]> {
  const query = prepared((db, values: V & { ids: unknown }) => build(db, listed(db, values.ids), values));
  return async (db, ids, values) =>
    ids.length === 0 ? [] : query(db, { ...values, ids: hasRowLocks(db) ? ids : JSON.stringify(ids) });
}

function listed(db: Queryable, ids: unknown): IsListed {
  return (column) =>
    hasRowLocks(db)
      ? sql<boolean>`${sql.ref(column)} = any(${ids}::text[])`
      : sql<boolean>`${sql.ref(column)} in (select value from json_each(${ids}))`;
}

/** A prepared statement that takes rows, split where there are too many for one. Resolves to the rows of all statements. */
export function queryWithRows<R extends object, O>(
  build: (db: Queryable, records: string) => Compilable<O>,
): (db: Queryable, rows: readonly R[]) => Promise<O[]> {
  const query = prepared((db, { records }: { records: string }) => build(db, records));
  return async (db, rows) => {
    const found: O[] = [];
    for (let from = 0; from < rows.length; from += ROWS_MAX) {
      found.push(...(await query(db, { records: recordsOf(rows.slice(from, from + ROWS_MAX)) })));
    }
    return found;
  };
}
