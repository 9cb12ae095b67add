import { HOUR_MS } from '../../kernel/clock.ts';
import { lisbonTime } from '../../kernel/lisbon.ts';

/**
 * A range of Lisbon wall-clock times, both ends included, in seconds as if they were UTC. The bank filters by such
 * times; unlike instants of the repeated hour in October, they can be compared and halved.
 */
export interface WallRange {
  fromSeconds: number;
  toSeconds: number;
}

const HOUR_SECONDS = 3600;

/** The wall-clock range that covers every instant from `from` to `to`. An end in the repeated hour includes all of that hour. */
export function wallRange(from: number, to: number): WallRange {
  const fromSeconds = wallSeconds(from);
  const toSeconds = wallSeconds(to);
  return {
    fromSeconds: isRepeated(from) ? fromSeconds - (fromSeconds % HOUR_SECONDS) : fromSeconds,
    toSeconds: isRepeated(to) ? toSeconds - (toSeconds % HOUR_SECONDS) + HOUR_SECONDS - 1 : toSeconds,
  };
}

/** Splits a range in two; null when it is a single second. */
export function halves({ fromSeconds, toSeconds }: WallRange): [WallRange, WallRange] | null {
  if (fromSeconds >= toSeconds) return null;
  const middle = Math.floor((fromSeconds + toSeconds) / 2);
  return [
    { fromSeconds, toSeconds: middle },
    { fromSeconds: middle + 1, toSeconds },
  ];
}

/** The bank's format of a wall-clock time, `dd-MM-yyyy HH:mm:ss`. */
export function wallText(seconds: number): string {
  const iso = new Date(seconds * 1000).toISOString();
  return `${iso.slice(8, 10)}-${iso.slice(5, 7)}-${iso.slice(0, 4)} ${iso.slice(11, 19)}`;
}

function wallSeconds(instant: number): number {
  const { year, month, day, hour, minute, second } = lisbonTime(instant);
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

function isRepeated(instant: number): boolean {
  const reading = wallSeconds(instant);
  return wallSeconds(instant - HOUR_MS) === reading || wallSeconds(instant + HOUR_MS) === reading;
}
