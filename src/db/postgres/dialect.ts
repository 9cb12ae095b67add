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
import { isUnreachable } from './failures.ts';
import { mayBeBack } from './reconnect.ts';

/** Kysely over `pool`, whose transactions start with the text `begin`. */
export function unitsDialect(pool: pg.Pool, begin: string): Dialect {
  return dialect(new Driver(guarded(pool), begin));
}

/** Kysely over `pool` for statements that stand alone: one that finds the server away is asked again when it is back. */
export function readsDialect(pool: pg.Pool): Dialect {
  return dialect(new Driver(patient(guarded(pool))));
}

function dialect(driver: PostgresDriver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

class Driver extends PostgresDriver {
  readonly #begin: string;

  constructor(pool: Pool, begin = 'begin') {
    // Kysely's type names every overload of the driver's own client.
    super({ pool: pool as unknown as PostgresPool });
    this.#begin = begin;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#begin));
  }
}

/** A pool of lent connections, as far as Kysely uses it. */
interface Pool {
  connect(): Promise<Lent>;
  end(): Promise<void>;
}

interface Lent {
  query(text: string, values: readonly unknown[]): Promise<unknown>;
  release(discard?: boolean): void;
}

/** With two guards around every query. */
function guarded(pool: pg.Pool): Pool {
  return {
    async connect() {
      const client = await pool.connect();
      let silent = false;
      return {
        async query(text, values) {
          try {
            return await client.query(text, values.map(storable));
          } catch (error) {
            // The answer to a query that was given up may still come: nobody else may read it as theirs.
            silent ||= error instanceof Error && error.message === 'Query read timeout';
            throw error;
          }
        },
        release: (discard) => client.release(discard === true || silent),
      };
    },
    end: () => pool.end(),
  };
}

/** Goes on with another connection when one is lost. Never for transactions, which end with theirs. */
function patient(pool: Pool): Pool {
  return {
    async connect() {
      let lent: Lent | null = await untilBack(() => pool.connect());
      return {
        query: (text, values) =>
          untilBack(async () => {
            lent ??= await pool.connect();
            try {
              return await lent.query(text, values);
            } catch (error) {
              if (isUnreachable(error)) {
                lent.release(true);
                lent = null;
              }
              throw error;
            }
          }),
        release: (discard) => lent?.release(discard),
      };
    },
    end: () => pool.end(),
  };
}

async function untilBack<T>(attempt: () => Promise<T>): Promise<T> {
  for (const since = performance.now(); ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(await mayBeBack(error, since))) throw error;
    }
  }
}

/**
 * PostgreSQL has no text with NUL in it and would fail the statement. The replacement character takes its place: such a
 * text is still kept, and an id with one is no transaction's.
 */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
