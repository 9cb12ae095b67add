import type { Compilable, CompiledQuery } from 'kysely';
import type { Queryable } from './database.ts';

/** Stands for a value while a query is built. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Takes one value out of what a call is given. */
type Getter<G> = (given: G) => unknown;

interface Compiled<G, O> {
  readonly query: CompiledQuery<O>;
  /** For each parameter where its value is, or null where the query brings its own. */
  readonly getters: readonly (Getter<G> | null)[];
  readonly direct: Direct | undefined;
}

/**
 * Runs a compiled statement; for engines that run in this process and on this thread. A `shared` one reads, and may be given the
 * rows that an equal one of the same snapshot was given.
 */
type Direct = (
  sql: string,
  parameters: readonly unknown[],
  shared: boolean,
) => unknown[] | Promise<unknown[]>;

const directs = new WeakMap<object, Direct>();

/** For the engines: statements of handles like `db` run through `direct`, not through Kysely's driver. */
export function runDirectly(db: Queryable, direct: Direct): void {
  directs.set(db.getExecutor().adapter, direct);
}

/**
 * A query that is built and compiled once for each engine, and then only given its values: of a call's time building and
 * compiling were a third. `build` sees stand-ins, so it may pass values on to Kysely and must not look at them: whatever
 * depends on a value (a clause that comes or goes, a limit) makes a query of its own. Resolves to the rows.
 */
export function prepared<V extends object, O>(
  build: (db: Queryable, values: V) => Compilable<O>,
): (db: Queryable, values: V) => Promise<O[]> {
  return preparedBy<V, V, O>(build, byName);
}

/**
 * The same for look-ups that many calls make alike, such as that of a key: where they share a snapshot, equal ones are made
 * once, and their rows belong to all who asked, so that nobody may change them.
 */
export function preparedShared<V extends object, O>(
  build: (db: Queryable, values: V) => Compilable<O>,
): (db: Queryable, values: V) => Promise<readonly Readonly<O>[]> {
  return preparedBy<V, V, O>(build, byName, true);
}

function byName<V extends object>(name: string): Getter<V> {
  return (values) => values[name as keyof V];
}

/** The same for calls that are given something else than `values`: `getter` tells where the value of a name is. */
export function preparedBy<V extends object, G, O>(
  build: (db: Queryable, values: V) => Compilable<O>,
  getter: (name: string) => Getter<G>,
  shared = false,
): (db: Queryable, given: G) => Promise<O[]> {
  const known = new WeakMap<object, Compiled<G, O>>();
  return async (db, given) => {
    const executor = db.getExecutor();
    const { adapter } = executor;
    let compiled = known.get(adapter);
    if (compiled === undefined) {
      compiled = compile(db, build, getter);
      known.set(adapter, compiled);
    }
    const { query, getters, direct } = compiled;
    const parameters: unknown[] = [];
    for (let i = 0; i < getters.length; i++) {
      const get = getters[i];
      parameters.push(get ? get(given) : query.parameters[i]);
    }
    if (direct !== undefined) return direct(query.sql, parameters, shared) as O[] | Promise<O[]>;
    return (await executor.executeQuery<O>({ ...query, parameters })).rows;
  };
}

/** One query for each key, made when it is first asked for: for what must stand in a query's text. Few keys, please. */
export function forEach<K, Q>(make: (key: K) => Q): (key: K) => Q {
  const made = new Map<K, Q>();
  return (key) => {
    let query = made.get(key);
    if (query === undefined) {
      query = make(key);
      made.set(key, query);
    }
    return query;
  };
}

/** The members of `values` under these names, for a row to insert: stand-ins cannot be spread. */
export function columnsOf<V extends object, const K extends keyof V>(
  values: V,
  names: readonly K[],
): Pick<V, K> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<V, K>;
}

function compile<V extends object, G, O>(
  db: Queryable,
  build: (db: Queryable, values: V) => Compilable<O>,
  getter: (name: string) => Getter<G>,
): Compiled<G, O> {
  const standIns = new Proxy({}, { get: (_target, name) => new Slot(String(name)) });
  const query = build(db, standIns as V).compile();
  return {
    query,
    getters: query.parameters.map((value) => (value instanceof Slot ? getter(value.name) : null)),
    direct: directs.get(db.getExecutor().adapter),
  };
}
