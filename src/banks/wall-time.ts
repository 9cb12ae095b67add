import { lisbonTime } from '../kernel/lisbon.ts';

/**
 * The bank filters by readings of a wall clock in Lisbon. A range of such readings, both ends included, counted in
 * seconds as if they were UTC: readings can be halved and compared where instants of the repeated hour cannot.
 */
export interface WallRange {
  fromSeconds: number;
  toSeconds: number;
}

const HOUR_MS = 3_600_000;
const HOUR_SECONDS = 3600;

/**
 * Readings that cover every instant from `from` to `to`. An end inside October's repeated hour takes that whole hour
 * in: its readings say not which pass they mean.
 */
export function wallRange(from: number, to: number): WallRange {
  const fromSeconds = wallSeconds(from);
  const toSeconds = wallSeconds(to);
  return {
    fromSeconds: isRepeated(from) ? fromSeconds - (fromSeconds % HOUR_SECONDS) : fromSeconds,
    toSeconds: isRepeated(to) ? toSeconds - (toSeconds % HOUR_SECONDS) + HOUR_SECONDS - 1 : toSeconds,
  };
}

/** Two ranges that share no second and leave none out; null when there is only one second. */
export function halves({ fromSeconds, toSeconds }: WallRange): [WallRange, WallRange] | null {
  if (fromSeconds >= toSeconds) return null;
  const middle = Math.floor((fromSeconds + toSeconds) / 2);
  return [
    { fromSeconds, toSeconds: middle },
    { fromSeconds: middle + 1, toSeconds },
  ];
}

/** The bank's spelling of a reading, `dd-MM-yyyy HH:mm:ss`. */
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
