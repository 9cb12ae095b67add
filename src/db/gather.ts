import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queryable } from './database.ts';

const KEYS_MAX = 64;

interface Batch<K, O> {
  readonly keys: Map<string, K>;
  readonly rows: Promise<Map<string, O[]>>;
}

/**
 * A lookup whose callers in one turn of the event loop share one query. `nameOf` identifies a key, also in a row. A query that was
 * sent accepts no further callers, so each caller sees all earlier commits. Resolves to the key's rows.
 */
export function gathered<K, O extends K>(
  query: (db: Queryable, keys: readonly K[]) => Promise<O[]>,
  nameOf: (key: K) => string,
): (db: Queryable, key: K) => Promise<O[]> {
  const open = new WeakMap<Queryable, Batch<K, O>>();
  const start = (db: Queryable): Batch<K, O> => {
    const keys = new Map<string, K>();
    const send = async () => {
      await nextTurn();
      if (open.get(db) === batch) open.delete(db);
      return Map.groupBy(await query(db, [...keys.values()]), nameOf);
    };
    const batch = { keys, rows: send() };
    open.set(db, batch);
    return batch;
  };
  return async (db, key) => {
    const current = open.get(db);
    const batch = current === undefined || current.keys.size >= KEYS_MAX ? start(db) : current;
    batch.keys.set(nameOf(key), key);
    return (await batch.rows).get(nameOf(key)) ?? [];
  };
}
