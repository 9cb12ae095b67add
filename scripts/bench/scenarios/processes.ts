import { join } from 'node:path';
import { compare } from '../comparison.ts';
import { canLimitProcesses, holdToQuarter } from '../cpu-limit.ts';
import { race } from '../delivery/race.ts';
import { type Sender, serviceSender } from '../delivery/senders.ts';
import { startSink } from '../delivery/sink.ts';
import type { Options } from '../options.ts';
import { runningService } from '../peers.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { install, launch } from '../service.ts';
import type { Peer, Scenario, ScenarioResult, Threshold } from '../types.ts';
import { deliveryResult } from './deliveries.ts';
import { verifiedInits } from './http.ts';

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

/**
 * Init and deliveries of one, two and four processes on one PostgreSQL database, each process limited to a quarter of a
 * processor.
 */
export const processes: Scenario = {
  name: NAME,
  async run(folder, options) {
    if (!canLimitProcesses())
      return { text: `${NAME}: not measured; control groups of Linux need root`, ratios: [], figures: [] };
    const server = await startPostgres();
    try {
      const results = [await inits(server, folder, options), await deliveries(server, folder, options)];
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

async function inits(server: Postgres, folder: string, options: Options): Promise<ScenarioResult> {
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
  return await compare(
    {
      scenario: NAME,
      title: `init, ${TITLE}`,
      peers,
      base: ONE,
      thresholds: { [TWO]: TWICE, [FOUR]: FOURFOLD },
      prepare: async (peer) => verifiedInits(peer),
      warm: ({ pids }) => pids.forEach(holdToQuarter),
    },
    folder,
    options,
  );
}

async function deliveries(server: Postgres, folder: string, options: Options): Promise<ScenarioResult> {
  const sink = await startSink(folder);
  const senders: Sender[] = [];
  try {
    for (const [name, count] of counts(options)) {
      const own = join(folder, `deliveries-${count}`);
      const installation = await install(own, sink, await settings(server, `deliveries_${count}`));
      senders.push(await serviceSender(name, installation, await launchAll(installation, count)));
    }
    const ratios = [[TWO, ONE, TWICE] as const, [FOUR, ONE, FOURFOLD] as const];
    const hold = () => senders.flatMap(({ pids }) => pids).forEach(holdToQuarter);
    const results = await race(senders, sink, options, hold);
    return deliveryResult({ scenario: NAME, title: `deliveries, ${TITLE}`, ratios }, results, options);
  } finally {
    for (const sender of senders) await sender.stop();
    await sink.stop();
  }
}

function counts({ smoke }: Options): typeof COUNTS {
  return smoke ? COUNTS.slice(0, 2) : COUNTS;
}

async function settings(server: Postgres, database: string): Promise<Record<string, string>> {
  return { SERVICE_DATABASE_URL: await server.create(database), SERVICE_BANK: 'ifthenpay' };
}

async function launchAll(installation: Parameters<typeof launch>[0], count: number) {
  const services = [await launch(installation)];
  while (services.length < count) services.push(await launch(installation));
  return services;
}
