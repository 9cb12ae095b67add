import { join } from 'node:path';
import { race, type SendResult } from '../delivery/race.ts';
import { type Sender, startLoop, startOurs, startPgBoss } from '../delivery/senders.ts';
import { startSink } from '../delivery/sink.ts';
import type { Options } from '../options.ts';
import { requirePgBoss } from '../packages.ts';
import { chosenPeers } from '../peers.ts';
import { startPostgres } from '../postgres.ts';
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
    const names = chosenPeers([{ name: 'ours' }, { name: 'loop' }, { name: 'pg-boss' }], options);
    const runs = (name: string) => names.some((peer) => peer.name === name);
    const withPgBoss = runs('pg-boss') && requirePgBoss(options);
    const sink = await startSink(folder);
    const postgres = withPgBoss ? await startPostgres() : null;
    const senders: Sender[] = [];
    try {
      if (runs('ours')) senders.push(await startOurs(join(folder, 'ours'), sink));
      if (runs('loop')) senders.push(await startLoop(sink));
      if (postgres !== null) senders.push(await startPgBoss(await postgres.create('boss'), sink));
      const results = await race(senders, sink, options);
      return deliveryResult({ scenario: NAME, title: NAME, ratios: RATIOS }, results, options);
    } finally {
      for (const sender of senders) await sender.stop();
      await postgres?.stop();
      await sink.stop();
    }
  },
};

/** Formats the rounds of the senders, and the ratios whose senders were both measured. */
export function deliveryResult(
  { scenario, title, ratios }: { scenario: string; title: string; ratios: readonly RatioOf[] },
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
    return [{ scenario, name: `${title}, ${name} / ${base}`, ...spread(shares), threshold }];
  };
  return {
    text: [
      `${title} to one TLS endpoint: ${rounds} rounds of about ${seconds} s, in turn; every id and signature verified`,
      ...aligned([['sender', 'deliveries/s', 'lowest … highest', 'machine busy', 'sender µs'], ...rows]),
      ...results.map(({ sender }) => `  ${sender.name}: ${sender.description}`),
    ].join('\n'),
    ratios: ratios.flatMap(ratio),
    figures: results.map((result) => ({
      scenario,
      name: `${title}, ${result.sender.name}`,
      value: median(rates(result)),
      unit: 'deliveries/s',
    })),
  };
}
