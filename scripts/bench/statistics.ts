import { BenchError } from './contest.ts';

/** The middle of the values; of an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}

/** Median and extremes. */
export function spread(values: readonly number[]): { median: number; min: number; max: number } {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The value below which `share` (0 to 1) of the sorted values lie. Throws BenchError when there are none, or one is no number. */
export function quantile(sorted: Float64Array, share: number): number {
  // Not a number is sorted behind all that are.
  if (sorted.length === 0 || Number.isNaN(sorted.at(-1)))
    throw new BenchError(`of ${sorted.length} measured times one or all are missing`);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
