import { setTimeout as wait } from 'node:timers/promises';
import { holdToQuarter } from './cpu-limit.ts';
import type { Options } from './options.ts';
import { inTurn, mapValues, median, type Row, ratio, short, spread, type Threshold } from './statistics.ts';

/** The pause before each turn, so that leftover work of the previous peer is not measured. */
const PAUSE_MS = 100;
export const P99 = 'p99 ms';

export interface Measured {
  readonly perSecond: number;
  /** Further values, by name and unit. */
  readonly details: Readonly<Record<string, number>>;
}

/** A running peer and its work. */
export interface Peer {
  readonly pids: readonly number[];
  warmUp(): Promise<unknown>;
  measure(seconds: number): Promise<Measured>;
  /** Kills its processes. */
  stop(): Promise<void>;
  /** Runs after the peer was stopped; throws when an answered write is not stored. */
  verify?(): Promise<void>;
}

/** The names of two peers, the threshold of the first one's rate divided by the second one's, and of its p99. */
type RatioOf = readonly [name: string, base: string, rate: Threshold, p99?: Threshold];

export interface Comparison {
  readonly title: string;
  readonly ratios: readonly RatioOf[];
  /** Whether each process is held to a quarter of a processor once it is warmed up. */
  readonly quarter?: boolean;
}

/**
 * Starts the peers, measures them in turn, round by round, stops them and verifies every answer. Each round is divided into turns, so
 * that a disturbance of the machine affects all peers.
 */
export async function compare(
  { title, ratios, quarter = false, unit, turns }: Comparison & { unit: string; turns: number },
  starts: Readonly<Record<string, () => Promise<Peer>>>,
  options: Options,
): Promise<Row[]> {
  const peers: Record<string, Peer> = {};
  for (const [name, start] of Object.entries(starts)) peers[name] = await start();
  for (const peer of Object.values(peers)) {
    await peer.warmUp();
    if (quarter) peer.pids.forEach(holdToQuarter);
  }
  const sides = mapValues(peers, (peer, name) => async () => {
    await wait(PAUSE_MS);
    return await peer.measure(options.seconds / turns).catch((error) => {
      throw new Error(`${title}, ${name}`, { cause: error });
    });
  });
  const rounds = await inTurn(title, options.rounds * turns, sides);
  for (const peer of Object.values(peers)) await peer.stop();
  for (const peer of Object.values(peers)) await peer.verify?.();
  return [...ratios.flatMap((each) => ratioRows(title, each, rounds)), ...figures(title, unit, rounds)];
}

type Rounds = Readonly<Record<string, readonly Measured[]>>;

/** Compares two peers round by round, if both were measured. */
function ratioRows(title: string, [name, base, rate, p99]: RatioOf, rounds: Rounds): Row[] {
  const { [name]: of, [base]: by } = rounds;
  if (of === undefined || by === undefined) return [];
  const row = (shown: string, value: (round: Measured) => number, threshold: Threshold) => ({
    name: `${shown}, ${name} / ${base}`,
    ...ratio(of.map(value), by.map(value)),
    ...threshold,
  });
  return [
    row(title, ({ perSecond }) => perSecond, rate),
    ...(p99 ? [row(`${title}, p99`, ({ details }) => details[P99] ?? Number.NaN, p99)] : []),
  ];
}

function figures(title: string, unit: string, rounds: Rounds): Row[] {
  return Object.entries(rounds).map(([name, measured]) => {
    const { median: value, min, max } = spread(measured.map(({ perSecond }) => perSecond));
    const details = Object.keys(measured[0]?.details ?? {}).map((detail) => {
      const values = measured.map(({ details }) => details[detail] ?? Number.NaN);
      return `, ${detail} ${short(median(values))}`;
    });
    return {
      name: `${title}, ${name}`,
      value,
      unit,
      details: `${short(min)} … ${short(max)}${details.join('')}`,
    };
  });
}
