import { instantFromLisbon, lisbonTime } from '../../../../kernel/lisbon.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** Returns the value of a field for day and time, in Lisbon time. */
export function fieldOf(instant: number): string {
  const { year, month, day, hour, minute } = lisbonTime(instant);
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
}

/** Returns the instant of such a value; null when it is empty. */
export function instantOf(field: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2})/.exec(field);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  return instantFromLisbon({ year, month, day, hour, minute, second: 0 });
}
