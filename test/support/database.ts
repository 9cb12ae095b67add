import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { createDatabase } from '../../scripts/sim/storage.ts';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { knownUrl, urls } from './known-urls.ts';
import { administer } from './postgres-server.ts';
import { TEMPLATE } from './postgres-setup.ts';

/** Registers a clean-up: vitest's `onTestFinished` or `afterAll`. */
export type WhenOver = (cleanUp: () => void | Promise<void>) => void;

/** Which engine the tests of this project run on. */
export const engine: Database['engine'] = inject('postgresUrl') === undefined ? 'sqlite' : 'postgres';

/** A folder that is removed after the test. */
export function temporaryFolder(whenOver: WhenOver = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A migrated database, closed and removed after the test. */
export async function temporaryDatabase(whenOver: WhenOver = onTestFinished): Promise<Database> {
  const db = await openDatabase(await databaseUrl(temporaryFolder(whenOver), whenOver));
  whenOver(() => db.close());
  return db;
}

/** A new SQLite file with today's schema, and its database, which is closed after the test. */
export async function sqliteFile() {
  const file = join(temporaryFolder(), 'service.db');
  const db = await openDatabase(`sqlite:${file}`);
  onTestFinished(() => db.close());
  return { file, db };
}

/** The address of the migrated database of `folder`: a file in it, or a database of the PostgreSQL server of the run. */
export async function databaseUrl(folder: string, whenOver: WhenOver): Promise<string> {
  const server = inject('postgresUrl');
  if (server === undefined) {
    const file = join(folder, 'service.db');
    if (!existsSync(file)) await createDatabase(folder, file);
    return knownUrl(folder);
  }
  const known = urls.get(folder);
  if (known !== undefined) return known;
  const [free] = await administer(server, TAKE);
  const url = free === undefined ? await newDatabase(server) : String(free.url);
  urls.set(folder, url);
  whenOver(async () => {
    await administer(url, EMPTY);
    await administer(server, `insert into free_databases values ('${url}')`);
    urls.delete(folder);
  });
  return url;
}

export async function rowsIn(db: Pick<Database, 'read'>, table: keyof Tables): Promise<number> {
  const query = db.read.selectFrom(table).select((eb) => eb.fn.countAll().as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

async function newDatabase(server: string): Promise<string> {
  const name = `pcs_${randomBytes(8).toString('hex')}`;
  await administer(server, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  return Object.assign(new URL(server), { pathname: name }).href;
}

/** Deletes every row except the schema version, without foreign key checks. */
const EMPTY = `
  set session_replication_role = replica;
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'meta' loop
      execute format('delete from %I', name);
    end loop;
  end $$;
  delete from meta where key not like 'schema%'`;

const TAKE = `delete from free_databases
  where url = (select url from free_databases for update skip locked limit 1) returning url`;
