import { join } from 'node:path';
import { type PostgresServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { race, type SendResult } from '../delivery/race.ts';
import { type Sender, startLoop, startOurs, startPgBoss } from '../delivery/senders.ts';
import { type Sink, startSink } from '../delivery/sink.ts';
import type { Options } from '../options.ts';
import { requirePgBoss } from '../packages.ts';
import { chosenPeers } from '../peers.ts';
import { aligned, integer, median, percent, range, spread } from '../statistics.ts';
import type { Scenario, ScenarioResult, Threshold } from '../types.ts';

/** The names of two senders, and the threshold of the first one's rate divided by the second one's. */
type RatioOf = readonly [name: string, base: string, threshold: Threshold];

const NAME = 'deliveries';
const RATIOS: readonly RatioOf[] = [
  ['ours', 'loop', { better: 'higher', floor: 0.3, target: 0.5 }],
  ['ours', 'pg-boss', { better: 'higher', floor: 1.5, target: 2.5 }],
];

/** Deliveries per second from a full queue to one endpoint over TLS. */
export const deliveries: Scenario = {
  name: NAME,
  async run(folder, options) {
    const servers: PostgresServer[] = [];
    const peers: { name: string; start: StartSender }[] = [
      { name: 'ours', start: (sink) => startOurs(join(folder, 'ours'), sink) },
      { name: 'loop', start: startLoop },
      {
        name: 'pg-boss',
        async start(sink) {
          const server = await startPostgresServer({ durable: true });
          servers.push(server);
          return await startPgBoss(await server.create('boss'), sink);
        },
      },
    ];
    const chosen = chosenPeers(peers, options);
    const able = chosen.filter(({ name }) => name !== 'pg-boss' || requirePgBoss(options));
    const starts = able.map(({ start }) => start);
    try {
      return await compareSenders({ title: NAME, starts, ratios: RATIOS }, folder, options);
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

export type StartSender = (sink: Sink) => Promise<Sender>;

export interface SenderComparison {
  readonly title: string;
  readonly starts: readonly StartSender[];
  readonly ratios: readonly RatioOf[];
  /** Runs before the measured rounds. */
  warm?(senders: readonly Sender[]): void;
}

/** Starts the senders and a sink, and lets them send to it in turn. */
export async function compareSenders(
  comparison: SenderComparison,
  folder: string,
  options: Options,
): Promise<ScenarioResult> {
  const sink = await startSink(folder);
  const senders: Sender[] = [];
  try {
    for (const start of comparison.starts) senders.push(await start(sink));
    const results = await race(senders, sink, options, () => comparison.warm?.(senders));
    return deliveryResult(comparison, results, options);
  } finally {
    for (const sender of senders) await sender.stop();
    await sink.stop();
  }
}

/** Formats the rounds of the senders, and the ratios whose senders were both measured. */
function deliveryResult(
  { title, ratios }: SenderComparison,
  results: readonly SendResult[],
  { rounds, seconds }: Options,
): ScenarioResult {
  const rates = ({ rounds: measured }: SendResult) => measured.map(({ perSecond }) => perSecond);
  const rows = results.map((result) => {
    const cpu = result.rounds.flatMap(({ senderUs }) => senderUs ?? []);
    const cpuText = cpu.length === 0 ? '' : integer(median(cpu));
    const busy = percent(median(result.rounds.map(({ machineBusy }) => machineBusy)));
    return [result.sender.name, integer(median(rates(result))), range(rates(result), integer), busy, cpuText];
  });
  const ratio = ([name, base, threshold]: RatioOf) => {
    const [of, by] = [name, base].map((sought) => results.find(({ sender }) => sender.name === sought));
    if (of === undefined || by === undefined) return [];
    const shares = of.rounds.map((round, i) => round.perSecond / (by.rounds[i]?.perSecond ?? Number.NaN));
    return [{ name: `${title}, ${name} / ${base}`, ...spread(shares), threshold }];
  };
  return {
    text: [
      `${title} to one TLS endpoint: ${rounds} rounds of about ${seconds} s, in turn; every id and signature verified`,
      ...aligned([['sender', 'deliveries/s', 'lowest … highest', 'machine busy', 'sender µs'], ...rows]),
      ...results.map(({ sender }) => `  ${sender.name}: ${sender.description}`),
    ].join('\n'),
    ratios: ratios.flatMap(ratio),
    figures: results.map((result) => ({
      name: `${title}, ${result.sender.name}`,
      value: median(rates(result)),
      unit: 'deliveries/s',
    })),
  };
}
