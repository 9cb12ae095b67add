import { type RawBuilder, sql } from 'kysely';
import type { Id } from '../kernel/ids.ts';
import { isPostgres, type Queryable } from './database.ts';
import { type Compilable, prepared } from './prepared.ts';
import { recordsOf } from './recordset.ts';

const ROWS_MAX = 256;

/** A row's id, and its merchant, which decides the partition of the row. */
export interface Owned<I extends string> {
  readonly id: I;
  readonly merchant_id: Id<'mer'>;
}

/** The condition that two columns are the id and the merchant of a listed row. */
export type IsListed = (id: string, merchant: string) => RawBuilder<boolean>;

/** A prepared query over a list of rows. An empty list runs no statement. */
export function queryByIds<I extends string, V extends object, O>(
  build: (db: Queryable, isListed: IsListed, values: V) => Compilable<O>,
): (db: Queryable, rows: readonly Owned<I>[], values: V) => Promise<O[]> {
  const query = prepared((db, values: V & { ids: unknown; merchants: unknown }) =>
    build(db, listed(db, values), values),
  );
  return async (db, rows, values) => {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const merchants = [...new Set(rows.map(({ merchant_id }) => merchant_id))];
    return query(db, { ...values, ids: isPostgres(db) ? ids : JSON.stringify(ids), merchants });
  };
}

/** Uses only the id on SQLite, which has no partitions. */
function listed(db: Queryable, { ids, merchants }: { ids: unknown; merchants: unknown }): IsListed {
  return (id, merchant) =>
    isPostgres(db)
      ? sql<boolean>`(${sql.ref(id)} = any(${ids}::text[]) and ${sql.ref(merchant)} = any(${merchants}::text[]))`
      : sql<boolean>`${sql.ref(id)} in (select value from json_each(${ids}))`;
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
