import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
} from 'kysely';
import type pg from 'pg';
import { isAnswer, isQueryTimeout, isUnreachable } from './failures.ts';
import { requireConfirmed } from './pool.ts';
import type { ServerWatch } from './server-watch.ts';
import type { StatementOf } from './statement.ts';

/** After this long without an answer, a connection may have broken unnoticed. */
const UNCHECKED_MS = 1000;

/** `performance.now()` of the last answer on a connection. */
const answeredAt = new WeakMap<pg.PoolClient, number>();

/** Kysely over `pool`, whose transactions start with the statements `begin`. Without `watch`, its queries may wait for long. */
export function unitsDialect(
  pool: pg.Pool,
  begin: string,
  statementOf: StatementOf,
  watch?: ServerWatch,
): Dialect {
  // Kysely's type requires every overload of the driver's client.
  const config = { pool: guarded(pool, statementOf, watch) as unknown as PostgresPool };
  return Object.assign(new PostgresDialect(config), { createDriver: () => new Driver(config, begin) });
}

/**
 * Kysely over `pool` for statements without BEGIN. They are not repeated when their answer is lost, so a connection that may have
 * broken unnoticed is checked first.
 */
export function statementsDialect(pool: pg.Pool, statementOf: StatementOf, watch: ServerWatch): Dialect {
  return new PostgresDialect({
    pool: guarded(pool, statementOf, watch, UNCHECKED_MS) as unknown as PostgresPool,
  });
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
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult>;
  release(discard?: boolean): void;
}

/**
 * Replaces NUL in texts, and discards connections that lost an answer or whose server is no longer the primary. A connection
 * without an answer for `checkAfterMs` is checked before it is used.
 */
export function guarded(
  pool: pg.Pool,
  statementOf: StatementOf,
  watch?: ServerWatch,
  checkAfterMs = Number.POSITIVE_INFINITY,
): Pool {
  return {
    async connect() {
      const client = await (watch?.connect(pool) ?? pool.connect());
      let fault: unknown = null;
      const connection: Client = {
        async query(text, values) {
          // A rollback too would wait for a lost connection.
          if (fault !== null) throw fault;
          try {
            const send = () => client.query(statementOf(text, values));
            const result = await (watch?.run(send, { client }) ?? send());
            answeredAt.set(client, performance.now());
            requireConfirmed(client);
            return result;
          } catch (error) {
            // The late answer to a query must not be read as the answer to another, nor an unsent rollback hide a lost commit.
            if (isUnreachable(error) || !isAnswer(error)) fault = error;
            if (isQueryTimeout(error)) void watch?.endAbandoned(client);
            throw error;
          }
        },
        release: (discard) => client.release(discard === true || fault !== null),
      };
      if (performance.now() - (answeredAt.get(client) ?? 0) >= checkAfterMs) {
        await connection.query('select 1', []).catch((error: unknown) => {
          connection.release();
          throw error;
        });
      }
      return connection;
    },
    end: () => pool.end(),
  };
}
