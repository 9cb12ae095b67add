import type { Bar, Experiment, Findings } from '../contest.ts';
import { contest, type SenderResult } from '../deliveries/contest.ts';
import { startLoop } from '../deliveries/loop.ts';
import { startOurSender } from '../deliveries/ours.ts';
import { startPgBoss } from '../deliveries/pg-boss.ts';
import type { Sender } from '../deliveries/sender.ts';
import type { Options } from '../options.ts';
import { peersInstalled } from '../packages.ts';
import { startPostgres } from '../postgres/server.ts';
import { type Sink, startSink } from '../sink.ts';
import { median, spread } from '../statistics.ts';
import { aligned, range, whole } from '../text.ts';

const NAME = 'deliveries';
const WARM_UP = 2000;
const WARM_UP_SMOKE = 50;
const BARS: Readonly<Record<string, Bar>> = {
  loop: { better: 'higher', floor: 0.3, target: 0.6 },
  'pg-boss': { better: 'higher', floor: 1.5, target: 3 },
};
const COLUMNS = ['sender', 'deliveries/s', 'lowest … highest', 'sender µs', 'sink busy'];

/** Deliveries per second out of a full queue to one endpoint over TLS, beside a bare loop and beside pg-boss doing the same. */
export const deliveries: Experiment = {
  name: NAME,
  packaged: true,
  async run(folder, options) {
    const sink = await startSink(folder);
    const senders: Sender[] = [];
    const postgres = peersInstalled() ? await startPostgres() : null;
    try {
      senders.push(await startOurSender(folder, sink, options), await startLoop(sink, options));
      if (postgres !== null) {
        senders.push(await startPgBoss('pg-boss', await postgres.create('boss'), sink, options));
        senders.push(await startPgBoss('pg-boss, driven', await postgres.create('driven'), sink, options));
      }
      return findings(await race(senders, sink, options), options);
    } finally {
      for (const sender of senders) await sender.stop();
      await postgres?.stop();
      await sink.stop();
    }
  },
};

async function race(senders: readonly Sender[], sink: Sink, options: Options): Promise<SenderResult[]> {
  const { rounds, seconds, smoke } = options;
  return await contest(senders, sink, { rounds, seconds, warmUp: smoke ? WARM_UP_SMOKE : WARM_UP });
}

function findings(results: readonly SenderResult[], options: Options): Findings {
  const [ours, ...others] = results;
  const rows = results.map(({ sender, rounds }) => {
    const rates = rounds.map(({ perSecond }) => perSecond);
    const cpu = rounds.flatMap(({ cpuUs }) => cpuUs ?? []);
    const busy = rounds.flatMap(({ sinkBusy }) => sinkBusy ?? []);
    return [
      sender.name,
      whole(median(rates)),
      range(rates, whole),
      cpu.length === 0 ? '' : whole(median(cpu)),
      busy.length === 0 ? '' : `${whole(median(busy) * 100)} %`,
    ];
  });
  const title = `deliveries: ${options.connections} connections to one TLS endpoint, ${options.rounds} rounds of about ${options.seconds} s each, in turn; every id and signature verified`;
  const legend = results.map(({ sender }) => `  ${sender.name}: ${sender.about}`);
  return {
    text: [title, ...aligned([COLUMNS, ...rows]), ...legend].join('\n'),
    ratios: others.map((other) => ({
      scenario: NAME,
      name: `deliveries/s, ours / ${other.sender.name}`,
      ...spread(other.rounds.map((round, i) => (ours?.rounds[i]?.perSecond ?? Number.NaN) / round.perSecond)),
      bar: BARS[other.sender.name] ?? null,
    })),
    figures: results.map(({ sender, rounds }) => ({
      scenario: NAME,
      name: `deliveries, ${sender.name}`,
      value: median(rounds.map(({ perSecond }) => perSecond)),
      unit: 'deliveries/s',
    })),
  };
}
