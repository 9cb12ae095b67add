import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
} from 'kysely';
import type pg from 'pg';

/** Kysely over `pool`. A transaction starts with the text `begin`. */
export function postgresDialect(pool: pg.Pool, begin: string): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new Driver(guarded(pool), begin),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

class Driver extends PostgresDriver {
  readonly #begin: string;

  constructor(pool: PostgresPool, begin: string) {
    super({ pool });
    this.#begin = begin;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#begin));
  }
}

/** The pool as Kysely uses it, with two guards around every query. */
function guarded(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect();
      let silent = false;
      return {
        async query(text: string, values: readonly unknown[]) {
          try {
            return await client.query(text, values.map(storable));
          } catch (error) {
            // The answer to a query that was given up may still come: nobody else may read it as theirs.
            silent ||= error instanceof Error && error.message === 'Query read timeout';
            throw error;
          }
        },
        release: (discard?: boolean) => client.release(discard === true || silent),
      };
    },
    async end() {
      await pool.end();
    },
    // biome-ignore lint/suspicious/noExplicitAny: Kysely's type names every overload of the driver's own client
  } as any;
}

/**
 * PostgreSQL has no text with NUL in it and would fail the statement. The replacement character takes its place: such a
 * text is still kept, and an id with one is no transaction's.
 */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
