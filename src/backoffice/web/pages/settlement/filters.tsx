import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { type Interval, intervalFault } from '../../../../kernel/day-interval.ts';
import { dayAfter, lisbonDay } from '../../../../kernel/lisbon.ts';
import { type Addressed, dayOf } from '../../lib/address.ts';
import { useTexts } from '../../lib/i18n.ts';
import { DayField } from '../../ui/day-field.tsx';
import css from './settlement.module.css';
import { TEXTS } from './texts.ts';

interface Props {
  readonly interval: Interval;
  readonly onChange: (interval: Interval) => void;
}

/** The period of the settlement: a month, or chosen days. */
export function PeriodFields({ interval, onChange }: Props) {
  const words = useTexts(TEXTS);
  const [choosing, setChoosing] = useState(false);
  const { from, to } = interval;
  const period = choosing ? 'chosen' : periodOf(interval);
  const fault = intervalFault(interval);
  const choose = (next: Period) => {
    setChoosing(next === 'chosen');
    if (next !== 'chosen') onChange(monthDays(next));
  };
  return (
    <search className={css.filters}>
      <NativeSelect
        label={words.period}
        value={period}
        onChange={(event) => choose(event.currentTarget.value as Period)}
        data={(['thisMonth', 'lastMonth', 'chosen'] as const).map((value) => ({
          value,
          label: words[value],
        }))}
      />
      {period === 'chosen' && (
        <>
          <DayField
            required
            label={words.from}
            value={from}
            onChange={(day) => onChange({ from: day, to })}
          />
          <DayField
            required
            label={words.to}
            value={to}
            error={fault === null ? undefined : words.faults[fault]}
            onChange={(day) => onChange({ from, to: day })}
          />
        </>
      )}
    </search>
  );
}

type Period = 'thisMonth' | 'lastMonth' | 'chosen';

/** Returns the days of a month; those of this month end today. */
function monthDays(period: 'thisMonth' | 'lastMonth', today = lisbonDay(Date.now())): Interval {
  const first = firstOfMonth(today);
  if (period === 'thisMonth') return { from: first, to: today };
  const to = dayAfter(first, -1);
  return { from: firstOfMonth(to), to };
}

const firstOfMonth = (day: string) => `${day.slice(0, 8)}01`;

/** Returns the period that the days represent. */
function periodOf({ from, to }: Interval): Period {
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
