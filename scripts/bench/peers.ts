import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { administer } from '../../test/support/postgres-server.ts';
import { type ServerProcess, startServer } from './process.ts';
import { createMerchants, type Installation, install, launch, readRows } from './service.ts';
import type { Peer, RunningPeer } from './types.ts';

const KEY = 'sk_bench_of_the_same_length_as_a_real_key_0000';

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
      return runningService('ours', installation, [await launch(installation)]);
    },
  };
}

/** Processes of the service on one installation, as one peer. */
export function runningService(
  name: string,
  installation: Installation,
  services: readonly ServerProcess[],
): RunningPeer {
  const url = installation.env.SERVICE_DATABASE_URL ?? '';
  return {
    name,
    ports: services.map(({ port }) => port),
    authorization: `Bearer ${installation.apiKey}`,
    pids: services.map(({ pid }) => pid),
    async stop() {
      for (const service of services) await service.stop();
    },
    storedIds: () => storedIds(url.startsWith('postgres:') ? url : installation.file, 'transactions'),
    async createShops(count) {
      const domains = Array.from({ length: count }, (_, i) => `shop-${i}.example`);
      const merchants = domains.map((domain) => ({ name: domain, domains: [domain] }));
      const created = await createMerchants(installation, merchants);
      return created.map(({ apiKey }, i) => ({
        authorization: `Bearer ${apiKey}`,
        domain: domains[i] ?? '',
      }));
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
      const database = (await createDatabase?.('bare')) ?? join(folder, 'limit.db');
      const server = await startServer({
        args: [fileURLToPath(new URL(`./programs/limit-${engine}.ts`, import.meta.url))],
        env: { BENCH_DATABASE: database, NODE_ENV: 'production' },
        portSetting: 'BENCH_PORT',
        readyPath: '/',
        folder,
      });
      return {
        name: 'limit',
        ports: [server.port],
        authorization: `Bearer ${KEY}`,
        pids: [server.pid],
        stop: server.stop,
        storedIds: () => storedIds(database, 'payments'),
        createShops: async (count) =>
          Array.from({ length: count }, (_, i) => ({ authorization: KEY, domain: `shop-${i}.example` })),
      };
    },
  };
}

async function storedIds(database: string, table: 'payments' | 'transactions'): Promise<Set<string>> {
  const query = `select id from ${table}`;
  const isPostgres = database.startsWith('postgres:');
  const rows = isPostgres ? await administer(database, query) : readRows(database, query);
  return new Set(rows.map(({ id }) => String(id)));
}
