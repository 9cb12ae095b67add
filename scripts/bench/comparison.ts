import { setTimeout as wait } from 'node:timers/promises';
import type { LoadResult } from './load.ts';
import type { Options } from './options.ts';
import { aligned, inTurn, integer, median, medianP99, p99, percent, spread } from './statistics.ts';
import type { Figure, ScenarioResult, Threshold } from './types.ts';

/** The pause before each turn, so that leftover work of the previous peer is not measured. */
const PAUSE_MS = 100;

export interface Measured {
  readonly perSecond: number;
  /** Processor time of the peer per request, in microseconds; null on systems without /proc. */
  readonly cpuUs: number | null;
  /** Share of all processors that was in use. */
  readonly machineBusy: number;
  /** The result of the load generator; null for a peer that sends by itself. */
  readonly load: LoadResult | null;
}

/** A running peer. */
export interface Contestant {
  readonly name: string;
  readonly description: string;
  warmUp(): Promise<unknown>;
  measure(seconds: number): Promise<Measured>;
}

/** The names of two peers, the threshold of the first one's rate divided by the second one's, and of its p99. */
export type RatioOf = readonly [name: string, base: string, rate: Threshold, p99?: Threshold];

export interface Comparison {
  readonly title: string;
  /** What is counted, such as `requests`. */
  readonly counted: string;
  /** The circumstances, for the head of the table. */
  readonly setting: string;
  readonly ratios: readonly RatioOf[];
  /** Each round is divided into turns, so that a disturbance of the machine affects all peers. */
  readonly turns: number;
}

/** Measures the peers in turn, round by round. */
export async function compare(
  comparison: Comparison,
  contestants: readonly Contestant[],
  options: Options,
): Promise<ScenarioResult> {
  const { title, counted, setting, ratios } = comparison;
  for (const contestant of contestants) await contestant.warmUp();
  const turns = options.smoke ? 1 : comparison.turns;
  const sides = contestants.map(({ measure }) => async () => {
    await wait(PAUSE_MS);
    return await measure(options.seconds / turns);
  });
  const rounds = await inTurn(title, options.rounds * turns, sides);
  const measured = contestants.map(({ name }, i) => ({ name, rounds: rounds[i] ?? [] }));
  const rows = measured.map((peer) => cells(counted, peer));
  const figure = ({ name, rounds }: Rounds): Figure => ({
    name: `${title}, ${name}`,
    value: median(rounds.map(({ perSecond }) => perSecond)),
    unit: `${counted}/s`,
  });
  return {
    text: [
      `${title}${setting}: ${options.rounds} rounds of ${options.seconds} s, in turn`,
      ...aligned([Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]),
      ...contestants.map(({ name, description }) => `  ${name}: ${description}`),
    ].join('\n'),
    ratios: ratios.flatMap((ratio) => ratiosOf(title, ratio, measured)),
    figures: measured.map(figure),
  };
}

/** The rounds of a peer. */
interface Rounds {
  readonly name: string;
  readonly rounds: readonly Measured[];
}

/** The medians of a peer, by column of the table. */
function cells(counted: string, { name, rounds }: Rounds): Record<string, string> {
  const rates = rounds.map(({ perSecond }) => perSecond);
  const cpu = rounds.flatMap(({ cpuUs }) => cpuUs ?? []);
  const loads = rounds.flatMap(({ load }) => load ?? []);
  const latencies = loads.map(({ latenciesMs }) => latenciesMs);
  return {
    peer: name,
    [`${counted}/s`]: integer(median(rates)),
    'lowest … highest': `${integer(Math.min(...rates))} … ${integer(Math.max(...rates))}`,
    ...(loads.length > 0 && {
      'p99 ms': medianP99(latencies).toFixed(2),
      'load busy': percent(median(loads.map(({ loadBusy }) => loadBusy))),
    }),
    'machine busy': percent(median(rounds.map(({ machineBusy }) => machineBusy))),
    'processor µs': cpu.length === 0 ? '' : integer(median(cpu)),
  };
}

/** Compares two peers round by round, if both were measured. */
function ratiosOf(title: string, [name, base, rate, latency]: RatioOf, measured: readonly Rounds[]) {
  const [of, by] = [name, base].map((sought) => measured.find((peer) => peer.name === sought)?.rounds);
  if (of === undefined || by === undefined) return [];
  const ratio = (value: (round: Measured | undefined) => number) =>
    spread(of.map((round, i) => value(round) / value(by[i])));
  const rates = ratio((round) => round?.perSecond ?? Number.NaN);
  const both = `${name} / ${base}`;
  const first = { name: `${title}, ${both}`, ...rates, threshold: rate };
  if (latency === undefined) return [first];
  const latencies = ratio((round) => p99(round?.load?.latenciesMs ?? new Float64Array()));
  return [first, { name: `${title}, p99, ${both}`, ...latencies, threshold: latency }];
}
