import { DAY_MS, HOUR_MS } from './clock.ts';

// Conversions between UTC instants and the bank's local time in Lisbon, `dd-MM-yyyy HH:mm:ss` without an offset.

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

/** A wall-clock time in Lisbon. Month and day count from 1. */
interface LisbonTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

export function lisbonTime(instant: number): LisbonTime {
  const parts: Record<string, number> = {};
  for (const { type, value } of FORMAT.formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

/**
 * The instant of a wall-clock time in Lisbon. In the repeated hour of October it is the later one, so that a deadline is
 * never early; a time in the skipped hour of March counts as an hour earlier.
 */
export function instantFromLisbon(time: LisbonTime): number {
  const asUtc = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
  const isWinter = lisbonTime(asUtc).hour === time.hour;
  return isWinter ? asUtc : asUtc - HOUR_MS;
}

/** 23:59:59 of the Lisbon day that is `days` after the one of `instant`. */
export function lisbonEndOfDay(instant: number, days = 0): number {
  const [year = 0, month = 0, day = 0] = dayAfter(lisbonDay(instant), days).split('-').map(Number);
  return instantFromLisbon({ year, month, day, hour: 23, minute: 59, second: 59 });
}

let cachedHour = Number.NaN;
let cachedDay = '';

/** The Lisbon day of `instant`, `YYYY-MM-DD`. */
export function lisbonDay(instant: number): string {
  // Lisbon's days begin at a full hour of UTC, so the day of the last hour is cached.
  const hour = Math.floor(instant / HOUR_MS);
  if (hour !== cachedHour) {
    const { year, month, day } = lisbonTime(instant);
    cachedDay = `${year}-${two(month)}-${two(day)}`;
    cachedHour = hour;
  }
  return cachedDay;
}

/** The first instant of a Lisbon day `YYYY-MM-DD`; null when there is no such day. */
export function lisbonDayStart(day: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return null;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (!isCalendarDay(year, month, date)) return null;
  return instantFromLisbon({ year, month, day: date, hour: 0, minute: 0, second: 0 });
}

/** False also for years before 100, which `Date.UTC` moves to 1900: .NET writes a missing date as 01-01-0001. */
function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
}

/** The day `count` days after `day`, or before it when negative; both `YYYY-MM-DD`. */
export function dayAfter(day: string, count = 1): string {
  const noon = Date.parse(`${day}T12:00:00Z`);
  return new Date(noon + count * DAY_MS).toISOString().slice(0, 10);
}

const two = (value: number) => String(value).padStart(2, '0');

/** The Lisbon date of an instant in the bank's format, `dd-MM-yyyy`. */
export function lisbonDateText(instant: number): string {
  const { year, month, day } = lisbonTime(instant);
  return `${two(day)}-${two(month)}-${year}`;
}

/** The Lisbon date and time of an instant in the bank's format, `dd-MM-yyyy HH:mm:ss`. */
export function lisbonText(instant: number): string {
  const { hour, minute, second } = lisbonTime(instant);
  return `${lisbonDateText(instant)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

const BANK_TEXT = /^(\d{2})-(\d{2})-(\d{4})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * The instant of a text in the bank's format. A date without a time is midnight. Null when the text has another format or
 * names a day that does not exist.
 */
export function instantFromBankText(text: string): number | null {
  const match = BANK_TEXT.exec(text.trim());
  if (!match) return null;
  const [day, month, year] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour = 0, minute = 0, second = 0] = match.slice(4).map((part) => Number(part ?? 0));
  if (!isCalendarDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return null;
  return instantFromLisbon({ year, month, day, hour, minute, second });
}
