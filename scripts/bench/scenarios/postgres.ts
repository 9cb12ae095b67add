import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Comparison, compare } from '../comparison.ts';
import { race } from '../delivery/race.ts';
import { startOurs } from '../delivery/senders.ts';
import { startSink } from '../delivery/sink.ts';
import type { Options } from '../options.ts';
import { type CreateDatabase, chosenPeers, limit, ours } from '../peers.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import type { Scenario, ScenarioResult } from '../types.ts';
import { deliveryResult } from './deliveries.ts';
import { INIT, STATUS, verifiedInits } from './http.ts';

const NAME = 'postgres';
const SHOPS = 1000;
const SHOPS_SMOKE = 10;

type Call = Omit<Comparison, 'peers' | 'base'>;

const INIT_ON_POSTGRES: Call = {
  ...INIT,
  scenario: NAME,
  title: 'PostgreSQL init',
  thresholds: { ours: { better: 'higher', floor: 0.5, target: 0.5 } },
  p99Threshold: { better: 'lower', floor: 3, target: 3 },
};

const CALLS: readonly Call[] = [
  INIT_ON_POSTGRES,
  {
    ...INIT_ON_POSTGRES,
    title: 'PostgreSQL init, 1,000 merchants',
    prepare: async (peer, { smoke }) =>
      verifiedInits(peer, { shops: await peer.createShops(smoke ? SHOPS_SMOKE : SHOPS) }),
  },
  {
    ...INIT_ON_POSTGRES,
    title: 'PostgreSQL init, one customer',
    prepare: async (peer) => verifiedInits(peer, { customersMax: 1 }),
  },
  {
    ...STATUS,
    scenario: NAME,
    title: 'PostgreSQL status',
    thresholds: { ours: { better: 'higher', floor: 0.6, target: 0.6 } },
  },
];

/** Init, status and deliveries of one process on a PostgreSQL server with fsync. */
export const postgres: Scenario = {
  name: NAME,
  async run(folder, options) {
    const server = await startPostgres();
    try {
      const results: ScenarioResult[] = [];
      for (const [i, call] of CALLS.entries()) {
        const createDatabase: CreateDatabase = (name) => server.create(`${name}_${i}`);
        const peers = chosenPeers([ours(createDatabase), limit(createDatabase)], options);
        results.push(await compare({ ...call, base: 'limit', peers }, folder, options));
      }
      results.push(await deliver(server, join(folder, 'deliveries'), options));
      return {
        text: results.map(({ text }) => text).join('\n\n'),
        ratios: results.flatMap(({ ratios }) => ratios),
        figures: results.flatMap(({ figures }) => figures),
      };
    } finally {
      await server.stop();
    }
  },
};

async function deliver(server: Postgres, folder: string, options: Options): Promise<ScenarioResult> {
  mkdirSync(folder);
  const sink = await startSink(folder);
  const onPostgres = await startOurs(join(folder, 'ours'), sink, await server.create('deliveries'));
  const onSqlite = { ...(await startOurs(join(folder, 'sqlite'), sink)), name: 'ours on SQLite' };
  const senders = [onPostgres, onSqlite];
  try {
    const ratios = [['ours', 'ours on SQLite', { better: 'higher', floor: 0.5, target: 0.5 }]] as const;
    const results = await race(senders, sink, options);
    return deliveryResult({ scenario: NAME, title: 'PostgreSQL deliveries', ratios }, results, options);
  } finally {
    for (const sender of senders) await sender.stop();
    await sink.stop();
  }
}
