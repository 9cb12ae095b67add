import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { type Interval, intervalFault } from '../../../../kernel/day-interval.ts';
import { useTexts } from '../../lib/i18n.ts';
import { DayField } from '../../ui/day-field.tsx';
import { monthDays, type Period, periodOf } from './period.ts';
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
