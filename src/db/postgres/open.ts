import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { OperatorError } from '../../kernel/errors.ts';
import { hostUrls } from '../../kernel/postgres-url.ts';
import type { Database } from '../database.ts';
import { type BeforeUpgrade, MIGRATIONS, type Migrated, migrate } from '../migrate.ts';
import type { Tables } from '../tables/tables.ts';
import { PostgresClusterBus } from './cluster-bus.ts';
import { statementsDialect, unitsDialect } from './dialect.ts';
import { isLockTimeout, isUnreachable, namesOf, retryWhileUnreachable, unusableServer } from './failures.ts';
import { connectionClass } from './hosts.ts';
import { CONNECTIONS_MAX, createPool } from './pool.ts';
import { readsOf } from './reads.ts';
import { ServerWatch } from './server-watch.ts';
import { statementsFor } from './statement.ts';
import { BEGIN_MIGRATION, BEGIN_UNIT, Units } from './units.ts';

const VERSION_MIN = 15;
/** How long a migration is retried while other sessions hold locks on its tables, and the pause in between. */
const LOCKED_MAX_MS = 30_000;
const LOCKED_RETRY_MS = 2000;

const BEGIN_SNAPSHOT =
  'begin isolation level repeatable read, read only; set local idle_in_transaction_session_timeout = 15000';

/**
 * Opens the PostgreSQL database at `url` and migrates its schema. Any number of processes may share it. `directUrl` bypasses a
 * transaction-mode pooler. Throws OperatorError, which never contains the password.
 */
export async function openPostgres(
  url: string,
  { directUrl = url, beforeUpgrade }: { directUrl?: string; beforeUpgrade?: BeforeUpgrade },
): Promise<{ db: Database; migrated: Migrated }> {
  const migrated = await migrateSchema(url, beforeUpgrade);
  const Client = connectionClass(url);
  const watch = new ServerWatch(createPool(url, 'probe', Client));
  const writes = createPool(url, 'units', Client);
  const writer = new Kysely<Tables>({
    dialect: unitsDialect(writes, BEGIN_UNIT, statementsFor(url), watch),
  });
  const statements = new Kysely<Tables>({ dialect: statementsDialect(writes, statementsFor(url), watch) });
  const reads = createPool(url, 'reads', Client);
  const reader = readsOf(reads, statementsFor(url), watch);
  const snapshots = new Kysely<Tables>({
    dialect: unitsDialect(reads, BEGIN_SNAPSHOT, statementsFor(url), watch),
  });
  const units = new Units(writer, CONNECTIONS_MAX.units, statements);
  const cluster = new PostgresClusterBus(reader, directUrl);
  const db: Database = {
    engine: 'postgres',
    cluster,
    read: reader,
    snapshot: (work) => retryWhileUnreachable(() => snapshots.transaction().execute(work)),
    unit: (work, { shared = false, ...options } = {}) =>
      shared ? units.runShared(work, options) : units.run(work),
    async backup() {
      throw new OperatorError(
        'a PostgreSQL database is backed up with its own tools: pg_dump, or the continuous archiving of its server',
      );
    },
    emptyLog: async () => {},
    logBytes: () => null,
    async close() {
      await units.drain();
      await cluster.close();
      await Promise.all([writes.end(), reads.end(), watch.close()]);
    },
  };
  return { db, migrated };
}

async function migrateSchema(url: string, beforeUpgrade: BeforeUpgrade | undefined): Promise<Migrated> {
  const db = new Kysely<Tables>({
    dialect: unitsDialect(createPool(url, 'migration'), BEGIN_MIGRATION, statementsFor(url)),
  });
  try {
    await onEachHost(url, () => requireUsable(db, url));
    const units = new Units(db, CONNECTIONS_MAX.migration);
    return await whileLocked(() => migrate({ unit: (work) => units.run(work) }, MIGRATIONS, beforeUpgrade));
  } catch (error) {
    throw error instanceof OperatorError ? error : unusableServer(url, error);
  } finally {
    await db.destroy();
  }
}

/** Runs a migration again while other sessions hold its tables, for a limited time; calls are served in the pauses. */
async function whileLocked<T>(migration: () => Promise<T>): Promise<T> {
  for (const since = performance.now(); ; await delay(LOCKED_RETRY_MS)) {
    try {
      return await migration();
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - since >= LOCKED_MAX_MS) throw error;
    }
  }
}

/** Runs `attempt` until it reaches a server that accepts writes; after each failure the next connection uses the next host. */
async function onEachHost(url: string, attempt: () => Promise<void>): Promise<void> {
  for (let others = hostUrls(url).length - 1; ; others--) {
    try {
      return await attempt();
    } catch (error) {
      if (others === 0 || !isUnreachable(error)) throw error;
    }
  }
}

async function requireUsable(db: Kysely<Tables>, url: string): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string; commits: string }>`
    select current_setting('server_version_num')::int / 10000 as version,
           current_setting('server_encoding') as encoding,
           current_setting('synchronous_commit') as commits`.execute(db);
  const [server] = rows;
  const { server: address, database } = namesOf(url);
  if (server === undefined || server.version < VERSION_MIN) {
    throw new OperatorError(
      `SERVICE_DATABASE_URL: the server at ${address} is PostgreSQL ${server?.version}; version ${VERSION_MIN} or newer is needed`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw new OperatorError(
      `SERVICE_DATABASE_URL: the database ${database} is encoded in ${server.encoding}; create one with "createdb --encoding=UTF8 --template=template0"`,
    );
  }
  if (server.commits === 'off') {
    throw new OperatorError(
      `SERVICE_DATABASE_URL: synchronous_commit is off, so an answered payment could be lost; run "alter database ${database} set synchronous_commit = on"`,
    );
  }
}
