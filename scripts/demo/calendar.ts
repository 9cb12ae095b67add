import { instantFromLisbon, lisbonTime } from '../../src/kernel/lisbon.ts';
import type { Prng } from '../sim/prng.ts';

const DAY_MS = 86_400_000;
/** Weights of the days, Sunday first. */
const WEEK = [1.18, 1.12, 1, 0.98, 0.95, 0.86, 0.91];
/** Weights of the hours in Lisbon. */
const HOURS = [
  ...[1.4, 0.6, 0.3, 0.15, 0.12, 0.18, 0.5, 1.2, 2.3, 3.2, 3.8, 4.1],
  ...[4.4, 4.3, 3.7, 3.5, 3.6, 3.9, 4.2, 4.4, 5.0, 6.1, 5.6, 3.2],
];
/** Office hours of the platform, in Lisbon. */
const OFFICE = { opens: 9, closes: 18 };
const GROWTH = 0.55;
/** A newsletter raises sales for two days. */
const NEWSLETTER_DAYS = 14;

/** Returns `count` sorted instants in the `days` before `until`, with growth and the rhythm of week and day. */
export function orderTimes(prng: Prng, until: number, days: number, count: number): number[] {
  const start = until - days * DAY_MS;
  const weights: Record<string, number> = {};
  for (let day = 0; day < days; day++) weights[day] = dayWeight(prng, start + day * DAY_MS, day, days);
  const hours = Object.fromEntries(HOURS.map((weight, hour) => [String(hour), weight]));
  const times: number[] = [];
  const table = cumulative(weights);
  const byHour = cumulative(hours);
  while (times.length < count) {
    const day = draw(prng, table);
    const at = withinDay(prng, start + Number(day) * DAY_MS, Number(draw(prng, byHour)));
    if (at >= start && at < until) times.push(at);
  }
  return times.sort((a, b) => a - b);
}

/** Returns `at` when it is in office hours, else an instant of the next office morning. */
export function inOfficeHours(prng: Prng, at: number): number {
  const { year, month, day, hour } = lisbonTime(at);
  if (isWorkday(year, month, day) && hour >= OFFICE.opens && hour < OFFICE.closes) return at;
  let next = hour < OFFICE.opens ? day : day + 1;
  while (!isWorkday(year, month, next)) next += 1;
  const date = new Date(Date.UTC(year, month - 1, next));
  const opening = instantFromLisbon({
    ...{ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
    ...{ hour: OFFICE.opens, minute: 0, second: 0 },
  });
  return opening + prng.int(2 * 60_000, 150 * 60_000);
}

function isWorkday(year: number, month: number, day: number): boolean {
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return weekday !== 0 && weekday !== 6;
}

function dayWeight(prng: Prng, at: number, day: number, days: number): number {
  const { year, month, day: date } = lisbonTime(at);
  const weekday = new Date(Date.UTC(year, month - 1, date)).getUTCDay();
  const newsletter = day % NEWSLETTER_DAYS < 2 ? 1.5 : 1;
  const growth = 1 - GROWTH + (GROWTH * day) / days;
  return (WEEK[weekday] ?? 1) * newsletter * growth * (0.9 + prng.fraction() * 0.2);
}

function withinDay(prng: Prng, at: number, hour: number): number {
  const { year, month, day } = lisbonTime(at);
  const minute = prng.int(0, 59);
  const second = prng.int(0, 59);
  return instantFromLisbon({ year, month, day, hour, minute, second }) + prng.int(0, 999);
}

type Table = readonly (readonly [name: string, upTo: number])[];

function cumulative(weights: Readonly<Record<string, number>>): Table {
  let sum = 0;
  return Object.entries(weights).map(([name, weight]) => {
    sum += weight;
    return [name, sum] as const;
  });
}

function draw(prng: Prng, table: Table): string {
  const at = prng.fraction() * (table.at(-1)?.[1] ?? 0);
  let low = 0;
  let high = table.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((table[middle]?.[1] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return table[low]?.[0] ?? '0';
}
