import type { Interval } from '../../../../kernel/day-interval.ts';
import { dayAfter, lisbonDay } from '../../../../kernel/lisbon.ts';
import { type Addressed, dayOf } from '../../lib/address.ts';

export type Period = 'thisMonth' | 'lastMonth' | 'chosen';

/** Returns the days of a month; those of this month end today. */
export function monthDays(period: 'thisMonth' | 'lastMonth', today = lisbonDay(Date.now())): Interval {
  const first = firstOfMonth(today);
  if (period === 'thisMonth') return { from: first, to: today };
  const to = dayAfter(first, -1);
  return { from: firstOfMonth(to), to };
}

const firstOfMonth = (day: string) => `${day.slice(0, 8)}01`;

/** Returns the period that the days represent. */
export function periodOf({ from, to }: Interval): Period {
  const known = (['thisMonth', 'lastMonth'] as const).find((period) => {
    const days = monthDays(period);
    return days.from === from && days.to === to;
  });
  return known ?? 'chosen';
}

/** The days in the URL; without any, the days of this month. */
export const INTERVAL: Addressed<Interval> = {
  read: (params) => {
    const month = monthDays('thisMonth');
    return { from: dayOf(params, 'from') || month.from, to: dayOf(params, 'to') || month.to };
  },
  write: (interval) => (periodOf(interval) === 'thisMonth' ? { from: null, to: null } : { ...interval }),
};
