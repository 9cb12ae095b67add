/**
 * The bank speaks local Portuguese time without an offset (`dd-MM-yyyy HH:mm:ss`); the service speaks UTC. The
 * crossing is here, both clock-change Sundays included.
 */
const FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Lisbon',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** A wall-clock reading in Lisbon. Month and day count from 1. */
export interface LisbonTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** What a clock on a wall in Lisbon shows at `instant`. */
export function lisbonTime(instant: number): LisbonTime {
  const parts: Record<string, number> = {};
  for (const { type, value } of FORMAT.formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

/**
 * The instant at which Lisbon's wall clock shows `time`. In the hour that repeats in October the later pass is
 * taken, so that a deadline is never early; a reading inside the hour that March skips counts as an hour earlier.
 */
export function instantFromLisbon(time: LisbonTime): number {
  const asUtc = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
  const winter = asUtc;
  const summer = asUtc - 3_600_000;
  return sameReading(lisbonTime(winter), time) ? winter : summer;
}

/** The last second of the Lisbon day that is `days` after the one containing `instant`: 23:59:59, as an instant. */
export function lisbonEndOfDay(instant: number, days = 0): number {
  const { year, month, day } = lisbonTime(instant);
  const date = new Date(Date.UTC(year, month - 1, day + days));
  return instantFromLisbon({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: 23,
    minute: 59,
    second: 59,
  });
}

const HOUR_MS = 3_600_000;
let newestHour = Number.NaN;
let newestDay = '';

/** The Lisbon day that contains `instant`, `YYYY-MM-DD`. Sorts as days do. */
export function lisbonDay(instant: number): string {
  // Lisbon's days begin at a whole hour of UTC, and whoever asks asks of now: one remembered hour answers nearly all.
  const hour = Math.floor(instant / HOUR_MS);
  if (hour !== newestHour) {
    const { year, month, day } = lisbonTime(instant);
    newestDay = `${year}-${two(month)}-${two(day)}`;
    newestHour = hour;
  }
  return newestDay;
}

/** The first instant of a Lisbon day `YYYY-MM-DD`; null when the text is no day of the calendar. */
export function lisbonDayStart(day: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return null;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const calendar = new Date(Date.UTC(year, month - 1, date));
  if (calendar.getUTCMonth() !== month - 1 || calendar.getUTCDate() !== date) return null;
  return instantFromLisbon({ year, month, day: date, hour: 0, minute: 0, second: 0 });
}

/** The day that is `count` days after `day` (before it, when negative), both `YYYY-MM-DD`. */
export function dayAfter(day: string, count = 1): string {
  const noon = Date.parse(`${day}T12:00:00Z`);
  return new Date(noon + count * 24 * HOUR_MS).toISOString().slice(0, 10);
}

const two = (value: number) => String(value).padStart(2, '0');

/** The bank's date of an instant, `dd-MM-yyyy`, in Lisbon. */
export function lisbonDateText(instant: number): string {
  const { year, month, day } = lisbonTime(instant);
  return `${two(day)}-${two(month)}-${year}`;
}

/** The bank's date and time of an instant, `dd-MM-yyyy HH:mm:ss`, in Lisbon. */
export function lisbonText(instant: number): string {
  const { hour, minute, second } = lisbonTime(instant);
  return `${lisbonDateText(instant)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

const BANK_TEXT = /^(\d{2})-(\d{2})-(\d{4})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * The instant of a bank's text, `dd-MM-yyyy HH:mm:ss` or `dd-MM-yyyy` (then `endOfDay` gives 23:59:59, otherwise
 * midnight); null when it is not one or names a day that does not exist.
 */
export function instantFromBankText(text: string, endOfDay = false): number | null {
  const match = BANK_TEXT.exec(text.trim());
  if (!match) return null;
  const [day, month, year] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const bare = match[4] === undefined;
  const time: LisbonTime = {
    year,
    month,
    day,
    hour: bare ? (endOfDay ? 23 : 0) : Number(match[4]),
    minute: bare ? (endOfDay ? 59 : 0) : Number(match[5]),
    second: bare ? (endOfDay ? 59 : 0) : Number(match[6] ?? 0),
  };
  const date = new Date(Date.UTC(year, month - 1, day));
  const real = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!real || time.hour > 23 || time.minute > 59 || time.second > 59) return null;
  return instantFromLisbon(time);
}

function sameReading(a: LisbonTime, b: LisbonTime): boolean {
  return a.day === b.day && a.hour === b.hour && a.minute === b.minute;
}
