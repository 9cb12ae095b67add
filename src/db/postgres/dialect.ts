import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
} from 'kysely';
import type pg from 'pg';
import { isUnreachable, waitToReconnect } from './failures.ts';

/** Kysely over `pool`, whose transactions start with the statements `begin`. */
export function unitsDialect(pool: pg.Pool, begin: string): Dialect {
  return dialect(guarded(pool), begin);
}

/** Kysely over `pool` for single statements, which are retried while the server is disconnected. */
export function readsDialect(pool: pg.Pool): Dialect {
  return dialect(reconnecting(guarded(pool)), 'begin');
}

function dialect(pool: Pool, begin: string): Dialect {
  // Kysely's type names every overload of the driver's own client.
  const config = { pool: pool as unknown as PostgresPool };
  const postgres = new PostgresDialect(config);
  return {
    createAdapter: () => postgres.createAdapter(),
    createDriver: () => new Driver(config, begin),
    createQueryCompiler: () => postgres.createQueryCompiler(),
    createIntrospector: (db) => postgres.createIntrospector(db),
  };
}

class Driver extends PostgresDriver {
  readonly #begin: string;

  constructor(config: { pool: PostgresPool }, begin: string) {
    super(config);
    this.#begin = begin;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#begin));
  }
}

/** The part of a pool that Kysely uses. */
interface Pool {
  connect(): Promise<Client>;
  end(): Promise<void>;
}

interface Client {
  query(text: string, values: readonly unknown[]): Promise<unknown>;
  release(discard?: boolean): void;
}

/** Replaces NUL in texts, and discards connections whose query timed out. */
function guarded(pool: pg.Pool): Pool {
  return {
    async connect() {
      const client = await pool.connect();
      let timedOut = false;
      return {
        async query(text, values) {
          try {
            return await client.query(text, values.map(withoutNul));
          } catch (error) {
            // The late answer to this query must not be read as the answer to another.
            timedOut ||= error instanceof Error && error.message === 'Query read timeout';
            throw error;
          }
        },
        release: (discard) => client.release(discard === true || timedOut),
      };
    },
    end: () => pool.end(),
  };
}

/** Continues on another connection when one is lost. Not for transactions, which end with their connection. */
function reconnecting(pool: Pool): Pool {
  return {
    async connect() {
      let client: Client | null = await retry(() => pool.connect());
      return {
        query: (text, values) =>
          retry(async () => {
            client ??= await pool.connect();
            try {
              return await client.query(text, values);
            } catch (error) {
              if (isUnreachable(error)) {
                client.release(true);
                client = null;
              }
              throw error;
            }
          }),
        release: (discard) => client?.release(discard),
      };
    },
    end: () => pool.end(),
  };
}

async function retry<T>(attempt: () => Promise<T>): Promise<T> {
  for (const since = performance.now(); ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(await waitToReconnect(error, since))) throw error;
    }
  }
}

/** PostgreSQL cannot store NUL in a text; the replacement character takes its place. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
