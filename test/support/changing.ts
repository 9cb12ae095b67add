import { type CompiledQuery, DummyDriver, Kysely, type QueryExecutor, SqliteDialect } from 'kysely';
import type { Database, Queryable } from '../../src/db/database.ts';
import type { Tables } from '../../src/db/tables/tables.ts';

/** How often `readWhileChanging` reads, at most. */
const READS_MAX = 30;

/**
 * Calls `read` again and again, with a database whose committed state `change` changes after the first query, after the second
 * query and so on, until a call makes no more queries. `prepare` makes what a call reads. Resolves to the answers.
 */
export async function readWhileChanging<Case, Answer>(
  db: Database,
  prepare: () => Promise<Case>,
  read: (db: Database, one: Case) => Promise<Answer>,
  change: (one: Case) => Promise<unknown>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let changeAt = 1; changeAt <= READS_MAX; changeAt++) {
    const one = await prepare();
    let reads = 0;
    const afterQuery = async () => {
      reads++;
      if (reads === changeAt) await change(one);
    };
    const changing: Database = Object.create(db, {
      read: { value: watched(db.read, afterQuery) },
      snapshot: {
        value: <T>(work: (handle: Queryable) => Promise<T>) =>
          db.snapshot((handle) => work(watched(handle, afterQuery))),
      },
    });
    answers.push(await read(changing, one));
    if (reads < changeAt) return answers;
  }
  throw new Error(`a read of more than ${READS_MAX} queries`);
}

/** The same handle, with `afterQuery` after each of its queries. */
function watched(handle: Queryable, afterQuery: () => Promise<void>): Queryable {
  const real = handle.getExecutor();
  const executor: QueryExecutor = new Proxy(real, {
    get(_target, name) {
      if (name === 'executeQuery') {
        return async (query: CompiledQuery) => {
          const result = await real.executeQuery(query);
          await afterQuery();
          return result;
        };
      }
      if (name === 'withoutPlugins') return () => executor;
      const member = Reflect.get(real, name, real);
      return typeof member === 'function' ? member.bind(real) : member;
    },
  });
  // Only for the introspection of the schema, which is not used.
  const dialect = new SqliteDialect({ database: () => Promise.reject(new Error('not used')) });
  return new Kysely<Tables>({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
}
