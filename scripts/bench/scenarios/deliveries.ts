import { join } from 'node:path';
import { race, type SendResult } from '../delivery/race.ts';
import { type Sender, startLoop, startOurs, startPgBoss } from '../delivery/senders.ts';
import { startSink } from '../delivery/sink.ts';
import type { Options } from '../options.ts';
import { requirePgBoss } from '../packages.ts';
import { chosenPeers } from '../peers.ts';
import { startPostgres } from '../postgres.ts';
import { aligned, integer, median, range, spread } from '../statistics.ts';
import type { Scenario, ScenarioResult, Threshold } from '../types.ts';

const NAME = 'deliveries';
const THRESHOLDS: Readonly<Record<string, Threshold>> = {
  loop: { better: 'higher', floor: 0.3, target: 0.5 },
  'pg-boss': { better: 'higher', floor: 1.5, target: 2.5 },
};

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
      if (runs('loop')) senders.push(await startLoop(sink, options));
      if (postgres !== null) senders.push(await startPgBoss(await postgres.create('boss'), sink, options));
      return deliveryResult(NAME, NAME, await race(senders, sink, options), options);
    } finally {
      for (const sender of senders) await sender.stop();
      await postgres?.stop();
      await sink.stop();
    }
  },
};

/** Formats the rounds of the senders; ratios are ours divided by each other sender. */
export function deliveryResult(
  scenario: string,
  title: string,
  results: readonly SendResult[],
  { connections, rounds, seconds }: Options,
): ScenarioResult {
  const rates = ({ rounds: measured }: SendResult) => measured.map(({ perSecond }) => perSecond);
  const rows = results.map((result) => {
    const cpu = result.rounds.flatMap(({ senderUs }) => senderUs ?? []);
    const cpuText = cpu.length === 0 ? '' : integer(median(cpu));
    return [result.sender.name, integer(median(rates(result))), range(rates(result), integer), cpuText];
  });
  const ours = results.find(({ sender }) => sender.name === 'ours');
  const others = ours === undefined ? [] : results.filter((result) => result !== ours);
  return {
    text: [
      `${title}: ${connections} connections to one TLS endpoint, ${rounds} rounds of about ${seconds} s, in turn; every id and signature verified`,
      ...aligned([['sender', 'deliveries/s', 'lowest … highest', 'sender µs'], ...rows]),
      ...results.map(({ sender }) => `  ${sender.name}: ${sender.description}`),
    ].join('\n'),
    ratios: others.map((other) => ({
      scenario,
      name: `${title}, ours / ${other.sender.name}`,
      ...spread(other.rounds.map((round, i) => (ours?.rounds[i]?.perSecond ?? Number.NaN) / round.perSecond)),
      threshold: THRESHOLDS[other.sender.name] ?? null,
    })),
    figures: results.map((result) => ({
      scenario,
      name: `${title}, ${result.sender.name}`,
      value: median(rates(result)),
      unit: 'deliveries/s',
    })),
  };
}
