import { join } from 'node:path';
import type { Comparison } from '../comparison.ts';
import { onPostgres } from '../database.ts';
import { compareSenders } from '../delivery/senders.ts';
import type { Sink } from '../delivery/sink.ts';
import type { Options } from '../options.ts';
import { startLimit, startOurs } from '../servers.ts';
import type { Row } from '../statistics.ts';
import { compareServers, INIT, type ServerComparison, STATUS, verifiedInits } from './http.ts';

const SHOPS = 1000;

const INIT_ON_POSTGRES: ServerComparison = {
  ...INIT,
  title: 'PostgreSQL init',
  ratios: [
    [
      ...(['ours', 'limit'] as const),
      { better: 'higher', floor: 0.5, target: 0.5 },
      { better: 'lower', floor: 3, target: 3 },
    ],
  ],
};

const CALLS: readonly ServerComparison[] = [
  INIT_ON_POSTGRES,
  {
    ...INIT_ON_POSTGRES,
    title: 'PostgreSQL init, 1,000 merchants',
    prepare: async (server, { scaled }) => verifiedInits(server, await server.createShops(scaled(SHOPS))),
  },
  {
    ...INIT_ON_POSTGRES,
    title: 'PostgreSQL init, one customer',
    prepare: async (server) => verifiedInits(server, [server.shop], { customersMax: 1 }),
  },
  {
    ...STATUS,
    title: 'PostgreSQL status',
    ratios: [['ours', 'limit', { better: 'higher', floor: 0.6, target: 0.6 }]],
  },
];

const DELIVERIES: Comparison = {
  title: 'PostgreSQL deliveries',
  ratios: [['ours', 'ours on SQLite', { better: 'higher', floor: 0.5, target: 0.5 }]],
};

/** Init, status and deliveries of one process on a PostgreSQL server with fsync. */
export function postgres(folder: string, options: Options): Promise<Row[]> {
  return onPostgres(async (server) => {
    const rows: Row[] = [];
    // The first call is the same as the next two with other orders.
    const calls = options.smoke ? CALLS.slice(1) : CALLS;
    for (const [i, call] of calls.entries()) {
      const servers = {
        ours: async () =>
          startOurs(join(folder, `${i}`), null, { SERVICE_DATABASE_URL: await server.create(`ours_${i}`) }),
        limit: async () => startLimit(folder, await server.create(`limit_${i}`)),
      };
      rows.push(...(await compareServers(call, servers, options)));
    }
    const settings = async () => ({
      SERVICE_DATABASE_URL: await server.create('deliveries'),
      // The bank is never called; without the sandbox the processors are free for the service.
      SERVICE_BANK: 'ifthenpay',
      SERVICE_LOG_LEVEL: 'error',
    });
    const senders = {
      ours: async (sink: Sink) => startOurs(join(folder, 'ours'), sink, await settings()),
      'ours on SQLite': (sink: Sink) =>
        startOurs(join(folder, 'sqlite'), sink, { SERVICE_LOG_LEVEL: 'error' }),
    };
    return [...rows, ...(await compareSenders(DELIVERIES, senders, folder, options))];
  });
}
