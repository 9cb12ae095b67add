import { dayAfter } from './lisbon.ts';

/** Lisbon days `YYYY-MM-DD`, both inclusive. */
export interface Interval {
  readonly from: string;
  readonly to: string;
}

/** The longest interval, a leap year. */
export const DAYS_MAX = 366;

/** Returns the fault of a settlement's interval: its order or its length; null when it is valid. */
export function intervalFault({ from, to }: Interval): 'order' | 'length' | null {
  if (from > to) return 'order';
  return dayAfter(from, DAYS_MAX) <= to ? 'length' : null;
}
