import '@mantine/dates/styles.css';
import 'dayjs/locale/pt';
import { DateInput } from '@mantine/dates';
import { useState } from 'react';
import { format } from '../lib/format.ts';
import { currentLanguage, texts } from '../lib/i18n.ts';
import css from './day-input.module.css';
import { usePhone } from './phone.ts';
import { useTopmost } from './topmost.ts';

const TEXTS = texts({
  day: ['dd/mm/yyyy', 'dd/mm/aaaa'],
  time: ['dd/mm/yyyy hh:mm', 'dd/mm/aaaa hh:mm'],
  wrong: [
    (typed: string) => `“${typed}” is not a date. Use the format 31/12/2026.`,
    (typed) => `«${typed}» não é uma data. Utilize o formato 31/12/2026.`,
  ],
  early: [
    (min: string) => `The earliest possible day is ${min}.`,
    (min) => `O primeiro dia possível é ${min}.`,
  ],
  late: [(max: string) => `The latest possible day is ${max}.`, (max) => `O último dia possível é ${max}.`],
  labels: {
    nextMonth: ['Next month', 'Mês seguinte'],
    previousMonth: ['Previous month', 'Mês anterior'],
    nextYear: ['Next year', 'Ano seguinte'],
    previousYear: ['Previous year', 'Ano anterior'],
    nextDecade: ['Next decade', 'Década seguinte'],
    previousDecade: ['Previous decade', 'Década anterior'],
  },
});

export interface DayFieldProps {
  readonly label: string;
  /** `YYYY-MM-DD`, with ` HH:MM` in a field with a time; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The first and the last day; empty for none. */
  readonly min?: string;
  readonly max?: string;
  readonly error?: string | undefined;
  /** Keeps the last value instead of becoming empty. */
  readonly required?: boolean;
  readonly withTime?: boolean;
}

/** The input behind `DayField`, with its calendar. */
export default function DayInput(props: DayFieldProps) {
  const { label, value, onChange, min = '', max = '', error, required = false, withTime = false } = props;
  const phone = usePhone();
  const [opened, setOpened] = useState(false);
  /** The typed text that the field did not take; empty when it took the last one. */
  const [refused, setRefused] = useState('');
  useTopmost(opened);
  return (
    <DateInput
      label={label}
      placeholder={withTime ? TEXTS.time : TEXTS.day}
      // The library's argument is of the browser's time zone, which may not have that time.
      valueFormat={() => shownDay(value)}
      dateParser={readTypedDay}
      withTime={withTime}
      locale={currentLanguage()}
      value={value === '' ? null : value}
      onChange={(next) => {
        setRefused('');
        onChange(withTimeOf(value, next ?? ''));
      }}
      onInput={() => setRefused('')}
      onBlur={({ currentTarget: { value: text } }) => {
        if (isTyped(text, value)) return;
        const day = readTypedDay(inFull(text));
        if (day === null || refusalOf(text, min, max) !== null) setRefused(text.trim());
        else onChange(withTimeOf(value, day));
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isTyped(event.currentTarget.value, value)) return;
        // Enter would send the value, which is not the text that was typed. Blur takes or replaces the text.
        event.preventDefault();
        event.currentTarget.blur();
      }}
      error={refusalOf(refused, min, max) ?? error}
      clearable={!required}
      ariaLabels={TEXTS.labels}
      getDayAriaLabel={format.day}
      hideOutsideDates
      // Mantine renders weekends in the colour of errors.
      weekendDays={[]}
      classNames={{ day: css.day, calendarHeaderControl: css.control, calendarHeaderLevel: css.control }}
      popoverProps={{ onOpen: () => setOpened(true), onClose: () => setOpened(false) }}
      {...(min !== '' && { minDate: min })}
      {...(max !== '' && { maxDate: max })}
      // On a phone the calendar is enough, and the keyboard would cover it.
      {...(phone && !withTime && { inputMode: 'none' })}
    />
  );
}

/** Returns `31/12/2026`, with ` 23:59` where the value has a time. */
function shownDay(value: string): string {
  const [date = '', time] = value.split(' ');
  const day = date.split('-').reverse().join('/');
  return time === undefined ? day : `${day} ${time.slice(0, 'HH:MM'.length)}`;
}

/** Whether the field took the typed text as its value. */
function isTyped(text: string, value: string): boolean {
  const day = text.trim() === '' ? '' : readTypedDay(text);
  return day !== null && shownDay(day) === shownDay(value);
}

/** Why a typed day is not taken; null when it is, or nothing is typed. */
function refusalOf(text: string, min: string, max: string): string | null {
  if (text === '') return null;
  const day = readTypedDay(inFull(text));
  if (day === null) return TEXTS.wrong(text);
  if (min !== '' && day < min) return TEXTS.early(shownDay(min));
  return max !== '' && day > max ? TEXTS.late(shownDay(max)) : null;
}

/** Writes a year of two digits in full. Only a finished text is read so: `31/12/20` may become `31/12/2026`. */
function inFull(text: string): string {
  return text.trim().replace(/^(\d{1,2}[/.-]\d{1,2}[/.-])(?=\d{2}(?!\d))/, '$&20');
}

/** Returns a day with its time, which is the former one for a day chosen in the calendar. */
function withTimeOf(former: string, day: string): string {
  const time = former.split(' ')[1];
  return day === '' || day.includes(' ') || time === undefined ? day : `${day} ${time}`;
}

const TYPED = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:,? (\d{1,2}):(\d{2}))?$/;
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}))?/;

/** Returns `YYYY-MM-DD`, with ` HH:MM:00` where a time is typed, for `31/12/2026`; null for a day that does not exist. */
function readTypedDay(typed: string): string | null {
  const text = typed.trim();
  const iso = ISO.exec(text)?.slice(1);
  const [day, month, year, ...clock] = TYPED.exec(text)?.slice(1) ?? [];
  const [y, m, d, hour, minute] = iso ?? [year, month, day, ...clock];
  const at = new Date(Date.UTC(Number(y), Number(m) - 1, Number(d), Number(hour ?? 0), Number(minute ?? 0)));
  const exists =
    at.getUTCDate() === Number(d) &&
    at.getUTCMonth() === Number(m) - 1 &&
    at.getUTCHours() === Number(hour ?? 0);
  if (!exists) return null;
  const [date, time = ''] = at.toISOString().split('T');
  return hour === undefined ? (date ?? null) : `${date} ${time.slice(0, 8)}`;
}
