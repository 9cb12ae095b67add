import { join } from 'node:path';
import type { PostgresServer } from '../../../test/support/postgres-server.ts';
import type { RatioOf } from '../comparison.ts';
import { canLimitProcesses, holdToQuarter } from '../cpu-limit.ts';
import { compareSenders, type SenderComparison, type StartSender } from '../delivery/race.ts';
import { serviceSender } from '../delivery/senders.ts';
import type { Options } from '../options.ts';
import { runningService } from '../peers.ts';
import { onPostgres } from '../postgres.ts';
import { install, launch } from '../service.ts';
import { progress } from '../statistics.ts';
import type { Peer, Scenario, ScenarioResult, Threshold } from '../types.ts';
import { compareServers, type HttpComparison, verifiedInits } from './http.ts';

const NAME = 'processes';
const TITLE = 'a quarter of a processor each';
const ONE = '1 process';
const TWO = '2 processes';
const FOUR = '4 processes';
const COUNTS: readonly (readonly [name: string, count: number])[] = [
  [ONE, 1],
  [TWO, 2],
  [FOUR, 4],
];
const TWICE: Threshold = { better: 'higher', floor: 1.8, target: 1.8 };
const FOURFOLD: Threshold = { better: 'higher', floor: 3.2, target: 3.2 };
const RATIOS: readonly RatioOf[] = [
  [TWO, ONE, TWICE],
  [FOUR, ONE, FOURFOLD],
];

/**
 * Init and deliveries of one, two and four processes on one PostgreSQL database, each process limited to a quarter of a
 * processor.
 */
export const processes: Scenario = {
  name: NAME,
  async run(folder, options) {
    if (!canLimitProcesses()) {
      progress(`${NAME}: not measured; control groups of Linux need root`);
      return { ratios: [], figures: [] };
    }
    return await onPostgres(async (server) => [
      await inits(server, folder, options),
      await deliveries(server, folder, options),
    ]);
  },
};

function inits(server: PostgresServer, folder: string, options: Options): Promise<ScenarioResult> {
  const peers = counts(options).map(
    ([name, count]): Peer => ({
      name,
      description: `${count} on one database`,
      async start(own) {
        const installation = await install(own, null, await settings(server, `init_${count}`));
        return runningService(name, installation, await launchAll(installation, count));
      },
    }),
  );
  const comparison: HttpComparison = {
    title: `init, ${TITLE}`,
    ratios: RATIOS,
    prepare: async (peer) => verifiedInits(peer),
    warm: ({ pids }) => pids.forEach(holdToQuarter),
  };
  return compareServers(comparison, peers, folder, options);
}

function deliveries(server: PostgresServer, folder: string, options: Options): Promise<ScenarioResult> {
  const starts = counts(options).map(
    ([name, count]): StartSender =>
      async (sink) => {
        const own = join(folder, `deliveries-${count}`);
        const installation = await install(own, sink, await settings(server, `deliveries_${count}`));
        return await serviceSender(name, installation, await launchAll(installation, count));
      },
  );
  const comparison: SenderComparison = {
    title: `deliveries, ${TITLE}`,
    starts,
    ratios: RATIOS,
    warm: ({ pids }) => pids.forEach(holdToQuarter),
  };
  return compareSenders(comparison, folder, options);
}

function counts({ smoke }: Options): typeof COUNTS {
  return smoke ? COUNTS.slice(0, 2) : COUNTS;
}

async function settings(server: PostgresServer, database: string): Promise<Record<string, string>> {
  return { SERVICE_DATABASE_URL: await server.create(database), SERVICE_BANK: 'ifthenpay' };
}

async function launchAll(installation: Parameters<typeof launch>[0], count: number) {
  const services = [await launch(installation)];
  while (services.length < count) services.push(await launch(installation));
  return services;
}
