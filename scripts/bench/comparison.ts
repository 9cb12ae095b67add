import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type LoadResult, runLoad } from './load.ts';
import { measureCpu, measureMachine } from './machine.ts';
import type { Options } from './options.ts';
import { aligned, integer, median, percent, progress, quantile, range, spread } from './statistics.ts';
import {
  BenchError,
  type Peer,
  type RunningPeer,
  type ScenarioResult,
  type Threshold,
  type Workload,
} from './types.ts';

const COLUMNS = [
  ...[
    'peer',
    'requests/s',
    'lowest … highest',
    'p50 ms',
    'p99 ms',
    'load busy',
    'machine busy',
    'server µs',
    'share',
  ],
];
/** The pause before each turn, so that leftover work of the previous peer is not measured. */
const PAUSE_MS = 100;
/** Each round is divided into turns, so that a disturbance of the machine affects all peers. */
const TURNS = 4;

interface Round extends LoadResult {
  /** Processor time of the server's processes per answer, in microseconds; null on systems without /proc. */
  readonly serverUs: number | null;
  /** Share of all processors that was in use. */
  readonly machineBusy: number;
}

interface Contestant {
  readonly peer: Peer;
  readonly running: RunningPeer;
  readonly workload: Workload;
  readonly rounds: Round[];
}

export interface Comparison {
  readonly title: string;
  readonly peers: readonly Peer[];
  /** The peer whose result is the denominator of each ratio. */
  readonly base: string;
  /** Keyed by the peer whose result is divided by that of `base`. */
  readonly thresholds: Readonly<Record<string, Threshold>>;
  /** For the p99 of each peer divided by that of `base`; without it, the p99 is not compared. */
  readonly p99Threshold?: Threshold;
  prepare(peer: RunningPeer, options: Options): Promise<Workload>;
  /** Runs after all peers are warmed up. */
  warm?(peer: RunningPeer): void;
}

/** Puts the peers under load in turn, round by round, stops them and verifies every answer. */
export async function compare(
  comparison: Comparison,
  folder: string,
  options: Options,
): Promise<ScenarioResult> {
  const { peers, title, prepare } = comparison;
  const contestants: Contestant[] = [];
  for (const peer of peers) {
    const own = join(folder, `${title.replaceAll(/\W+/g, '-')}-${peer.name}`);
    mkdirSync(own);
    const running = await peer.start(own, options);
    contestants.push({ peer, running, workload: await prepare(running, options), rounds: [] });
  }
  for (const contestant of contestants) {
    // Each process compiles its own code, and all of them share the machine.
    await measure(contestant, options, options.warmUpSeconds * contestant.running.pids.length);
  }
  for (const { running } of contestants) comparison.warm?.(running);
  const turns = options.smoke ? 1 : TURNS;
  for (let turn = 0; turn < options.rounds * turns; turn++) {
    progress(`${title}: turn ${turn + 1} of ${options.rounds * turns}`);
    for (const i of contestants.keys()) {
      // The order rotates, so that no peer always follows the same one.
      const contestant = contestants[(i + turn) % contestants.length];
      if (contestant === undefined) continue;
      await wait(options.smoke ? 0 : PAUSE_MS);
      contestant.rounds.push(await measure(contestant, options, options.seconds / turns));
    }
  }
  for (const { running } of contestants) await running.stop();
  for (const { workload } of contestants) await workload.verify?.();
  return result(comparison, contestants, options);
}

async function measure(
  { peer, running, workload }: Contestant,
  { connections }: Options,
  seconds: number,
): Promise<Round> {
  try {
    const serverUs = measureCpu(running.pids);
    const machine = measureMachine();
    const measured = await runLoad(workload, {
      ports: running.ports,
      connections: connections * running.ports.length,
      durationMs: seconds * 1000,
    });
    return { ...measured, serverUs: serverUs(measured.answers), machineBusy: machine() };
  } catch (error) {
    throw new BenchError(`${peer.name}: ${error instanceof Error ? error.message : error}`);
  }
}

function result(
  { title, base: baseName, thresholds, p99Threshold }: Comparison,
  contestants: readonly Contestant[],
  { connections, rounds, seconds }: Options,
): ScenarioResult {
  const base = contestants.find(({ peer }) => peer.name === baseName);
  const others = base === undefined ? [] : contestants.filter((contestant) => contestant !== base);
  const ratio = (contestant: Contestant, of: (round: Round) => number) =>
    spread(contestant.rounds.map((round, i) => of(round) / (base?.rounds.map(of)[i] ?? Number.NaN)));
  return {
    text: [
      `${title}: ${connections} keep-alive connections to each process, ${rounds} rounds of ${seconds} s, in turn; share of ${baseName}`,
      ...aligned([COLUMNS, ...contestants.map((contestant) => row(contestant, base))]),
      ...contestants.map(({ peer }) => `  ${peer.name}: ${peer.description}`),
    ].join('\n'),
    ratios: others.flatMap((other) => {
      const { name } = other.peer;
      const rate = {
        name: `${title}, ${name} / ${baseName}`,
        ...ratio(other, ({ perSecond }) => perSecond),
        threshold: thresholds[name] ?? null,
      };
      if (p99Threshold === undefined) return [rate];
      const p99 = ratio(other, ({ latenciesMs }) => quantile(latenciesMs, 0.99));
      return [rate, { name: `${title}, p99, ${name} / ${baseName}`, ...p99, threshold: p99Threshold }];
    }),
    figures: contestants.map(({ peer, rounds: measured }) => ({
      name: `${title}, ${peer.name}`,
      value: median(measured.map(({ perSecond }) => perSecond)),
      unit: 'requests/s',
    })),
  };
}

function row({ peer, rounds }: Contestant, base: Contestant | undefined): string[] {
  const rates = rounds.map(({ perSecond }) => perSecond);
  const latency = (share: number) => median(rounds.map(({ latenciesMs }) => quantile(latenciesMs, share)));
  const cpu = rounds.flatMap(({ serverUs }) => serverUs ?? []);
  const shares = rates.map((rate, i) => rate / (base?.rounds[i]?.perSecond ?? Number.NaN));
  return [
    peer.name,
    integer(median(rates)),
    range(rates, integer),
    latency(0.5).toFixed(2),
    latency(0.99).toFixed(2),
    percent(median(rounds.map(({ loadBusy }) => loadBusy))),
    percent(median(rounds.map(({ machineBusy }) => machineBusy))),
    cpu.length === 0 ? '' : integer(median(cpu)),
    base === undefined ? '' : median(shares).toFixed(2),
  ];
}
