import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { freePort } from '../../test/support/program.ts';
import type { Options } from './options.ts';
import { startServer } from './process.ts';
import { install, launch } from './service.ts';
import { BenchError, type Peer } from './types.ts';

const KEY = 'sk_bench_of_the_same_length_as_a_real_key_0000';
const NAMES = ['ours', 'limit', 'loop', 'pg-boss'];

/** Creates an empty PostgreSQL database and returns its URL. */
export type CreateDatabase = (name: string) => Promise<string>;

/** The service with its embedded sandbox, on SQLite or on a PostgreSQL database. */
export function ours(createDatabase: CreateDatabase | null = null): Peer {
  return {
    name: 'ours',
    description: 'the service, rate limit off, log level warn',
    async start(folder) {
      const url = (await createDatabase?.('service')) ?? null;
      const installation = await install(folder, null, url === null ? {} : { SERVICE_DATABASE_URL: url });
      const { port, pid, stop } = await launch(installation);
      return {
        name: 'ours',
        port,
        authorization: `Bearer ${installation.apiKey}`,
        pid,
        stop,
        storedIds: () => storedIds(url ?? installation.file, 'transactions'),
      };
    },
  };
}

/** The upper limit of one Node.js process: the least work that stores a payment durably. */
export function limit(createDatabase: CreateDatabase | null = null): Peer {
  const engine = createDatabase === null ? 'sqlite' : 'postgres';
  return {
    name: 'limit',
    description:
      createDatabase === null
        ? 'node:http and better-sqlite3: one insert, shared commits, no validation, no key'
        : 'node:http and pg: one prepared insert per commit, no validation, no key',
    async start(folder) {
      const port = await freePort();
      const database = (await createDatabase?.('bare')) ?? join(folder, 'limit.db');
      const server = await startServer({
        args: [fileURLToPath(new URL(`./programs/limit-${engine}.ts`, import.meta.url))],
        env: { BENCH_PORT: String(port), BENCH_DATABASE: database, NODE_ENV: 'production' },
        port,
        readyPath: '/',
        logFile: join(folder, 'limit.log'),
      });
      return {
        name: 'limit',
        port,
        authorization: `Bearer ${KEY}`,
        pid: server.pid,
        stop: () => server.stop(),
        storedIds: () => storedIds(database, 'payments'),
      };
    },
  };
}

/** Returns those of a scenario's peers that `--peers` names, or all. Throws BenchError on an unknown name. */
export function chosenPeers<P extends { readonly name: string }>(
  peers: readonly P[],
  { peers: names }: Options,
): P[] {
  const unknown = names?.find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new BenchError(`Unknown peer "${unknown}". Use one of ${NAMES.join(', ')}.`);
  return peers.filter(({ name }) => names === null || names.includes(name));
}

async function storedIds(database: string, table: 'payments' | 'transactions'): Promise<Set<string>> {
  const query = `select id from ${table}`;
  if (database.startsWith('postgres:')) {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    const { rows } = await client.query<{ id: string }>(query);
    await client.end();
    return new Set(rows.map(({ id }) => id));
  }
  const handle = new Sqlite(database, { fileMustExist: true });
  try {
    return new Set(handle.prepare<[], string>(query).pluck().iterate());
  } finally {
    handle.close();
  }
}
