import { instantFromLisbon, lisbonTime } from '../../../../kernel/lisbon.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** What a field of day and time shows for an instant: Lisbon's wall clock, to the minute. */
export function fieldOf(instant: number): string {
  const { year, month, day, hour, minute } = lisbonTime(instant);
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

/** The instant that such a field means; null while it is not filled in. */
export function instantOf(field: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/.exec(field);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  return instantFromLisbon({ year, month, day, hour, minute, second: 0 });
}
