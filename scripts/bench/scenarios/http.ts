import { join } from 'node:path';
import { type Comparison, compare, P99 } from '../comparison.ts';
import { readRows } from '../database.ts';
import { runLoad } from '../load.ts';
import { measureUse } from '../machine.ts';
import type { Options } from '../options.ts';
import { initRequests, type Orders, type Shop, statusRequests, type Workload } from '../requests.ts';
import { type Server, startLimit, startOurs } from '../servers.ts';
import { mapValues, p99, type Row } from '../statistics.ts';

/** To each process. */
const CONNECTIONS = 32;
const SEED_CONNECTIONS = 16;
const SEED_MS_MAX = 60_000;
const SEED_TRANSACTIONS = 2000;

export interface ServerComparison extends Comparison {
  prepare(server: Server, options: Options): Promise<Workload>;
}

/** POST /payments/init: after the run the server is killed and every answered id must be stored. */
export const INIT: ServerComparison = {
  title: 'init',
  ratios: [['ours', 'limit', { better: 'higher', floor: 0.4, target: 0.5 }]],
  prepare: async (server) => verifiedInits(server),
};

/** GET /payments/status of pending transactions. */
export const STATUS: ServerComparison = {
  title: 'status',
  ratios: [['ours', 'limit', { better: 'higher', floor: 0.5, target: 0.6 }]],
  prepare: async (server, options) => statusRequests(server.shop, await seedTransactions(server, options)),
};

export function onSqlite(comparison: ServerComparison, folder: string, options: Options): Promise<Row[]> {
  const servers = {
    ours: () => startOurs(folder, null),
    limit: () => startLimit(folder, `sqlite:${join(folder, 'limit.db')}`),
  };
  return compareServers(comparison, servers, options);
}

export function compareServers(
  comparison: ServerComparison,
  servers: Readonly<Record<string, () => Promise<Server>>>,
  options: Options,
): Promise<Row[]> {
  const starts = mapValues(servers, (start) => async () => {
    const server = await start();
    const workload = await comparison.prepare(server, options);
    const measure = (seconds: number) => underLoad(server, workload, seconds);
    // Each process compiles its own code, and all of them share the machine.
    const warmUp = () => measure(options.warmUpSeconds * server.pids.length);
    return { ...server, ...workload, measure, warmUp };
  });
  const turns = options.smoke ? 1 : 4;
  return compare({ ...comparison, unit: 'requests/s', turns }, starts, options);
}

async function underLoad({ pids, ports }: Server, workload: Workload, seconds: number) {
  const use = measureUse(pids);
  const connections = CONNECTIONS * ports.length;
  const load = await runLoad(workload, { ports, connections, durationMs: seconds * 1000 });
  const { perSecond, answers, latenciesMs, loadBusy } = load;
  const details = { [P99]: p99(latenciesMs), 'load busy %': loadBusy * 100, ...use(answers) };
  return { perSecond, details };
}

/** Inits, of which every answered id must be stored at the end. */
export function verifiedInits(
  server: Server,
  shops: readonly Shop[] = [server.shop],
  orders?: Pick<Orders, 'customersMax'>,
): Workload {
  const answered: string[] = [];
  return {
    ...initRequests(shops, { ...orders, created: (id) => answered.push(id) }),
    async verify() {
      const rows = await readRows(server.url, `select id from ${server.table}`);
      const stored = new Set(rows.map(({ id }) => String(id)));
      const ids = new Set(answered);
      const lost = answered.filter((id) => !stored.has(id)).length;
      if (lost > 0 || ids.size !== answered.length || stored.size !== answered.length)
        throw new Error(
          `${answered.length} answers with ${ids.size} ids, ${stored.size} rows stored, ${lost} answered ids lost`,
        );
    },
  };
}

async function seedTransactions({ ports, shop }: Server, { scaled }: Options): Promise<string[]> {
  const ids: string[] = [];
  await runLoad(initRequests([shop], { created: (id) => ids.push(id) }), {
    ports,
    connections: SEED_CONNECTIONS,
    durationMs: SEED_MS_MAX,
    requestsMax: scaled(SEED_TRANSACTIONS),
  });
  return ids;
}
