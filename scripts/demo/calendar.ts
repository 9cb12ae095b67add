import { lisbonTime } from '../../src/kernel/lisbon.ts';
import type { Prng } from '../sim/prng.ts';

const DAY_MS = 86_400_000;
/** Weights of the days, Sunday first. */
const WEEK = [1.18, 1.12, 1, 0.98, 0.95, 0.86, 0.91];
/** Weights of the hours in Lisbon. */
const HOURS = [
  ...[1.4, 0.6, 0.3, 0.15, 0.12, 0.18, 0.5, 1.2, 2.3, 3.2, 3.8, 4.1],
  ...[4.4, 4.3, 3.7, 3.5, 3.6, 3.9, 4.2, 4.4, 5.0, 6.1, 5.6, 3.2],
];
const WEIGHT_MAX = Math.max(...WEEK) * Math.max(...HOURS);
const GROWTH = 0.55;

/** Returns `count` sorted instants in the `days` before `until`, with growth and the rhythm of week and day. */
export function orderTimes(prng: Prng, until: number, days: number, count: number): number[] {
  const times: number[] = [];
  while (times.length < count) {
    const share = prng.fraction();
    const at = until - Math.ceil((1 - share) * days * DAY_MS);
    const weight = weightOf(at) * (1 - GROWTH + GROWTH * share);
    if (prng.chance(weight / WEIGHT_MAX)) times.push(at);
  }
  return times.sort((a, b) => a - b);
}

/** The weight of day and hour in Lisbon. */
function weightOf(at: number): number {
  const { year, month, day, hour } = lisbonTime(at);
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return (WEEK[weekday] ?? 0) * (HOURS[hour] ?? 0);
}
