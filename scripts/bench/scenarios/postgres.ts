import { join } from 'node:path';
import type { PostgresServer } from '../../../test/support/postgres-server.ts';
import { compareSenders, type StartSender } from '../delivery/race.ts';
import { startOurs } from '../delivery/senders.ts';
import { chosen, type Options, PEERS } from '../options.ts';
import { type CreateDatabase, limit, ours } from '../peers.ts';
import { onPostgres } from '../postgres.ts';
import type { Scenario, ScenarioResult } from '../types.ts';
import { compareServers, type HttpComparison, INIT, STATUS, verifiedInits } from './http.ts';

const SHOPS = 1000;

const INIT_ON_POSTGRES: HttpComparison = {
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

const CALLS: readonly HttpComparison[] = [
  INIT_ON_POSTGRES,
  {
    ...INIT_ON_POSTGRES,
    title: 'PostgreSQL init, 1,000 merchants',
    prepare: async (peer, { scaled }) =>
      verifiedInits(peer, { shops: await peer.createShops(scaled(SHOPS)) }),
  },
  {
    ...INIT_ON_POSTGRES,
    title: 'PostgreSQL init, one customer',
    prepare: async (peer) => verifiedInits(peer, { customersMax: 1 }),
  },
  {
    ...STATUS,
    title: 'PostgreSQL status',
    ratios: [['ours', 'limit', { better: 'higher', floor: 0.6, target: 0.6 }]],
  },
];

/** Init, status and deliveries of one process on a PostgreSQL server with fsync. */
export const postgres: Scenario = {
  name: 'postgres',
  run: (folder, options) =>
    onPostgres(async (server) => {
      const results: ScenarioResult[] = [];
      // The first call is the same as the next two with other orders.
      const calls = options.smoke ? CALLS.slice(1) : CALLS;
      for (const [i, call] of calls.entries()) {
        const createDatabase: CreateDatabase = (name) => server.create(`${name}_${i}`);
        const peers = chosen([ours(createDatabase), limit(createDatabase)], options.peers, PEERS);
        results.push(await compareServers(call, peers, folder, options));
      }
      return [...results, await deliver(server, folder, options)];
    }),
};

function deliver(server: PostgresServer, folder: string, options: Options): Promise<ScenarioResult> {
  const starts: StartSender[] = [
    async (sink) => startOurs(join(folder, 'ours'), sink, await server.create('deliveries')),
    async (sink) => ({ ...(await startOurs(join(folder, 'sqlite'), sink)), name: 'ours on SQLite' }),
  ];
  const ratios = [['ours', 'ours on SQLite', { better: 'higher', floor: 0.5, target: 0.5 }]] as const;
  return compareSenders({ title: 'PostgreSQL deliveries', starts, ratios }, folder, options);
}
