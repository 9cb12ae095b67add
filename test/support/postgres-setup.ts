import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/open.ts';
import { administer, startPostgresServer } from './postgres-server.ts';

/** The migrated, empty database that the tests copy. */
export const TEMPLATE = 'pcs_template';

/** Databases that no test uses; emptying one is faster than creating one. */
const FREE = 'create table free_databases (url text primary key)';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of the PostgreSQL project; absent in the others. */
    postgresUrl?: string;
  }
}

/** Starts one server for the run, with the template of every test database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresServer();
  await server.create(TEMPLATE);
  await administer(server.url('postgres'), FREE);
  await (await openDatabase(server.url(TEMPLATE))).close();
  project.provide('postgresUrl', server.url('postgres'));
  return () => server.stop();
}
