import { performance } from 'node:perf_hooks';

export type Row = Ratio | Figure;

/** The limit that a ratio must meet, and its target. */
export interface Threshold {
  readonly better: 'higher' | 'lower';
  readonly floor: number;
  readonly target: number;
}

/** One comparison: the median over the rounds and the extremes. */
export interface Ratio extends Threshold {
  readonly name: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** An absolute value, valid for this machine only. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly details?: string;
}

/** Returns a timestamp in milliseconds that all processes of a run share, finer than one millisecond. */
export function systemNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Prints progress to standard error; standard output carries the tables only. */
export function progress(text: string): void {
  process.stderr.write(`· ${text}\n`);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}

export function spread(values: readonly number[]): { median: number; min: number; max: number } {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** Divides the results of two sides round by round. */
export function ratio(of: readonly number[] = [], by: readonly number[] = []) {
  return spread(of.map((value, i) => value / (by[i] ?? Number.NaN)));
}

/** Returns the 99th percentile of the sorted values. Throws when one is missing. */
export function p99(sorted: Float64Array): number {
  // NaN sorts last.
  if (sorted.length === 0 || Number.isNaN(sorted.at(-1)))
    throw new Error(`${sorted.length} latencies were measured, and at least one is missing`);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN;
}

/** Compares the p99 of the first side with the second one's. Takes the latencies of their rounds. */
export function comparedP99(
  name: string,
  sides: Readonly<Record<string, readonly Float64Array[]>>,
  threshold: Threshold,
): Row[] {
  const values = mapValues(sides, (rounds) => rounds.map(p99));
  const [of, by] = Object.values(values);
  return [
    { name, ...ratio(of, by), ...threshold },
    ...Object.entries(values).map(([side, ms]) => ({ name: `${side}, p99`, value: median(ms), unit: 'ms' })),
  ];
}

export function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  convert: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value, name)]));
}

/** Measures the sides one after the other in each round, and returns the results of each side by its name. */
export async function inTurn<Side extends string, T>(
  title: string,
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<T>>>,
): Promise<Record<Side, T[]>> {
  const measured = Object.entries<() => Promise<T>>(sides).map(([side, measure]) => ({
    side,
    measure,
    results: [] as T[],
  }));
  for (let round = 0; round < rounds; round++) {
    progress(`${title}: round ${round + 1} of ${rounds}`);
    // The order rotates, so that no side always follows the same one.
    const first = round % measured.length;
    for (const { measure, results } of [...measured.slice(first), ...measured.slice(0, first)])
      results.push(await measure());
  }
  return Object.fromEntries(measured.map(({ side, results }) => [side, results])) as Record<Side, T[]>;
}

export function integer(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** Formats a number with about three significant digits. */
export function short(value: number): string {
  if (Math.abs(value) >= 100) return integer(value);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
