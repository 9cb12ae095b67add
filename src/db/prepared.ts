import { hash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import { isPostgres, type Queryable } from './database.ts';

/** Stands for a value while a query is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const PLACEHOLDERS = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) });

/** The snapshot option of a compiled query, for SQLite. */
export interface SnapshotQuery {
  /** All calls with the same values in one snapshot share the rows, which callers must not change. */
  readonly oncePerSnapshot?: boolean;
}

/** A query of Kysely's builder, or a statement of its `sql` tag. */
export interface Compilable<O> {
  compile(db: Queryable): CompiledQuery<O>;
}

/** The names of the compiled queries by their text; PostgreSQL keeps their plans under these. */
export const preparedNames = new Map<string, string>();

/**
 * A name that depends on the text alone: behind a pooler that shares connections without tracking their statements, a name must
 * never stand for another process's query.
 */
const nameOf = (text: string) => `prepared ${hash('sha256', text, 'base64url').slice(0, 22)}`;

/**
 * A query that is built and compiled once per engine and then runs with the values of each call. `build` receives placeholders:
 * it may pass them to Kysely but cannot read them, so a clause or limit that depends on a value needs its own query.
 * Resolves to the rows.
 */
export function prepared<V extends object, O>(
  build: (db: Queryable, values: V) => Compilable<O>,
  options: SnapshotQuery = {},
): (db: Queryable, values: V) => Promise<O[]> {
  const compiled: { sqlite?: CompiledQuery<O>; postgres?: CompiledQuery<O> } = {};
  return async (db, values) => {
    const engine = isPostgres(db) ? 'postgres' : 'sqlite';
    compiled[engine] ??= named(build(db, PLACEHOLDERS as V).compile(db));
    const query = compiled[engine];
    const parameters = query.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as keyof V] : value,
    );
    const { rows } = await db.executeQuery<O>({ ...query, ...options, parameters });
    return rows;
  };
}

/** Selects every column: PostgreSQL refuses such a prepared statement after a later version has added a column. */
const EVERY_COLUMN = /^select \*|"\.\*|returning \*/;

function named<O>(query: CompiledQuery<O>): CompiledQuery<O> {
  if (!EVERY_COLUMN.test(query.sql)) preparedNames.set(query.sql, nameOf(query.sql));
  return query;
}

/** As `prepared`, with a query for each combination of `literals`: the few values that must be part of a query's text. */
export function preparedWith<V extends object, L extends readonly (string | number)[], O>(
  build: (db: Queryable, values: V, ...literals: L) => Compilable<O>,
): (db: Queryable, values: V, ...literals: L) => Promise<O[]> {
  const queries = new Map<string, (db: Queryable, values: V) => Promise<O[]>>();
  return (db, values, ...literals) => {
    const key = literals.join();
    const query = queries.get(key) ?? prepared((on, placeholders: V) => build(on, placeholders, ...literals));
    queries.set(key, query);
    return query(db, values);
  };
}

/** Picks the members of `values` with these names, because placeholders cannot be spread. */
export function columnsOf<V extends object, const K extends keyof V>(
  values: V,
  names: readonly K[],
): Pick<V, K> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<V, K>;
}
