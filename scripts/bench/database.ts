import Sqlite from 'better-sqlite3';
import { administer, type PostgresServer, startPostgresServer } from '../../test/support/postgres-server.ts';

const SQLITE = 'sqlite:';
const BUSY_MS_MAX = 30_000;

export async function readRows(url: string, query: string): Promise<Record<string, unknown>[]> {
  if (!url.startsWith(SQLITE)) return await administer(url, query);
  const handle = new Sqlite(url.slice(SQLITE.length), { readonly: true, fileMustExist: true });
  try {
    return handle.prepare<[], Record<string, unknown>>(query).all();
  } finally {
    handle.close();
  }
}

export async function execute(url: string, statements: readonly string[]): Promise<void> {
  const script = ['begin', ...statements, 'commit'].join(';\n');
  if (!url.startsWith(SQLITE)) return void (await administer(url, script));
  const handle = new Sqlite(url.slice(SQLITE.length), { timeout: BUSY_MS_MAX });
  handle.exec(script);
  handle.close();
}

export async function onPostgres<T>(measure: (server: PostgresServer) => Promise<T>): Promise<T> {
  const server = await startPostgresServer({ durable: true });
  try {
    return await measure(server);
  } finally {
    await server.stop();
  }
}
