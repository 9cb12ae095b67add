import { resolve } from 'node:path';
import { Kysely, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { unitsDialect } from '../../db/postgres/dialect.ts';
import { namesOf, unusableServer } from '../../db/postgres/failures.ts';
import { PRESENCE_LOCK } from '../../db/postgres/listener-connection.ts';
import { createPool } from '../../db/postgres/pool.ts';
import { statementsFor } from '../../db/postgres/statement.ts';
import { BEGIN_MIGRATION } from '../../db/postgres/units.ts';
import { openSqliteAlone } from '../../db/sqlite/open.ts';
import type { Tables } from '../../db/tables/tables.ts';

/** The database that an installation is moved from. It is not migrated. */
export interface Source {
  readonly db: Kysely<Tables>;
  isServed(): Promise<boolean>;
  write(work: (tx: Tx) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the database at `url`. A SQLite file is locked exclusively: this fails while the service runs on it, and the service
 * cannot start. Throws OperatorError.
 */
export async function openSource(url: string): Promise<Source> {
  if (url.startsWith('sqlite:')) {
    const { db, close } = openSqliteAlone(url.slice('sqlite:'.length));
    return { db, isServed: async () => false, write: writerOf(db), close: async () => close() };
  }
  // One connection, so that every other connection belongs to a service.
  const db = new Kysely<Tables>({
    dialect: unitsDialect(createPool(url, 'migration'), BEGIN_MIGRATION, statementsFor(url)),
  });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    throw unusableServer(url, error);
  }
  return { db, isServed: () => isServed(db), write: writerOf(db), close: () => db.destroy() };
}

function writerOf(db: Kysely<Tables>): Source['write'] {
  return (work) => db.transaction().execute((tx) => work(tx as unknown as Tx));
}

/** A service is recognised by its presence lock and by the name of its connections. */
async function isServed(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_locks
    where locktype = 'advisory' and classid = ${sql.lit(PRESENCE_LOCK)} and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
    union all
    select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'payment-collection-service%'
      and pid <> pg_backend_pid()
    limit 1`.execute(db);
  return rows.length > 0;
}

/** The name of a database in messages, without the password. */
export function nameOf(url: string): string {
  if (url.startsWith('sqlite:')) return `the file ${resolve(url.slice('sqlite:'.length))}`;
  const { server, database } = namesOf(url);
  return `the database ${database} at ${server}`;
}
