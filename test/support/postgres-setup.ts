import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/open.ts';
import { startPostgresServer } from './postgres-server.ts';

/** The database, migrated and empty, that those of the tests are copies of. */
export const TEMPLATE = 'pcs_template';

/** Databases that no test uses at the moment: to empty one costs a fraction of making one. */
const FREE = 'create table free_databases (url text primary key)';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that the tests of the PostgreSQL project use; absent in the others. */
    postgresUrl?: string;
  }
}

/** One server for the whole run, and in it the template of every test's database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresServer();
  const admin = new pg.Client({ connectionString: server.url('postgres') });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.query(FREE);
  await admin.end();
  await (await openDatabase(server.url(TEMPLATE))).close();
  project.provide('postgresUrl', server.url('postgres'));
  return () => server.stop();
}
