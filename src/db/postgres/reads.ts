import {
  type CompiledQuery,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import type { Tables } from '../tables/tables.ts';
import { guarded } from './dialect.ts';
import { retryWhileUnreachable } from './failures.ts';
import type { ServerWatch } from './server-watch.ts';
import type { StatementOf } from './statement.ts';

/** Kysely over `pool`, which the caller ends, for single statements. They are retried while the server is disconnected. */
export function readsOf(pool: pg.Pool, statementOf: StatementOf, watch: ServerWatch): Kysely<Tables> {
  // Kysely's type requires every overload of the driver's client.
  const dialect = new PostgresDialect({ pool: pool as unknown as PostgresPool });
  return new Kysely({
    config: { dialect },
    dialect,
    driver: new DummyDriver(),
    executor: new Executor(guarded(pool, statementOf, watch)),
  });
}

/** Runs each query on any connection of the pool. */
class Executor extends DefaultQueryExecutor {
  readonly #pool: ReturnType<typeof guarded>;

  constructor(pool: ReturnType<typeof guarded>) {
    super(new PostgresQueryCompiler(), new PostgresAdapter(), {
      provideConnection: () => Promise.reject(new Error('use Database.unit for transactions')),
    });
    this.#pool = pool;
  }

  override async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await retryWhileUnreachable(async () => {
      const client = await this.#pool.connect();
      try {
        return await client.query(sql, parameters);
      } finally {
        client.release();
      }
    });
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  /** Returns itself: it has no plugins. Kysely's introspection asks for it. */
  override withoutPlugins(): this {
    return this;
  }
}
