import type { Language } from '../../../kernel/language.ts';
import { lisbonDay } from '../../../kernel/lisbon.ts';

const ZONE = 'Europe/Lisbon';
/** Keeps an amount or a unit on one line. */
const NBSP = '\u00a0';
const MONTHS: Record<Language, readonly string[]> = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  pt: ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'],
};
const LOCALE: Record<Language, string> = { en: 'en-GB', pt: 'pt-PT' };
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'short' });
const CLOCK_IN_FULL = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'medium' });
const ZONE_NAME = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeZoneName: 'short' });
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface Format {
  /** `1 234,56 €` in Portuguese, `€1,234.56` in English; of whole cents. */
  euro(amountCents: number): string;
  /** A whole number with thousands separators. */
  count(value: number): string;
  /** A share between 0 and 1 as a percentage with one decimal at most. */
  percent(share: number): string;
  /** Day and time in Lisbon, to the minute. */
  time(instant: number): string;
  /** Day and time in Lisbon to the second, with the zone named. */
  timeInFull(instant: number): string;
  /** The hour and minute in Lisbon alone. */
  clock(instant: number): string;
  /** The day in Lisbon of an instant. */
  date(instant: number): string;
  /** A day given as `YYYY-MM-DD`; without its year on request. */
  day(day: string, style?: 'short'): string;
  /** The time since an instant, in words: `há 5 min`, `5 min ago`. */
  ago(instant: number, now?: number): string;
  /** A duration in its two largest units. */
  duration(spanMs: number): string;
}

/** Returns the formatters of a language. */
export function formatOf(language: Language): Format {
  const comma = language === 'pt' ? ',' : '.';
  const locale = LOCALE[language];
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' });
  const whole = new Intl.NumberFormat(locale, { useGrouping: 'always', maximumFractionDigits: 0 });
  const money = new Intl.NumberFormat(locale, { useGrouping: 'always', style: 'currency', currency: 'EUR' });
  const day: Format['day'] = (text, style) => {
    const [year = 0, month = 1, ofMonth = 1] = text.split('-').map(Number);
    const short = `${ofMonth}${NBSP}${MONTHS[language][month - 1]}`;
    return style === 'short' ? short : `${short}${NBSP}${year}`;
  };
  const date = (instant: number) => day(lisbonDay(instant));
  const clock = (instant: number) => CLOCK.format(instant);
  return {
    clock,
    date,
    day,
    count: (value) => whole.format(value).replace('-', '−'),
    // A decimal in text is exact, and a division is not.
    euro: (amountCents) => money.format(`${amountCents}e-2` as `${number}`).replace('-', '−'),
    percent(share) {
      const tenths = Math.round(share * 1_000);
      const number = `${Math.trunc(tenths / 10)}${tenths % 10 === 0 ? '' : `${comma}${Math.abs(tenths % 10)}`}`;
      return language === 'pt' ? `${number}${NBSP}%` : `${number}%`;
    },
    time: (instant) => `${date(instant)}, ${clock(instant)}`,
    timeInFull: (instant) =>
      `${date(instant)}, ${CLOCK_IN_FULL.format(instant)} (${place(language)}, ${zoneAt(instant)})`,
    ago(instant, now = Date.now()) {
      const past = now - instant;
      const size = Math.abs(past);
      if (size < MINUTE) return language === 'pt' ? 'agora mesmo' : 'just now';
      const [unit, length] =
        size < HOUR
          ? (['minute', MINUTE] as const)
          : size < DAY
            ? (['hour', HOUR] as const)
            : (['day', DAY] as const);
      return relative.format(-Math.trunc(past / length), unit);
    },
    duration: (spanMs) => durationText(spanMs, comma),
  };
}

/** Returns the abbreviation of Lisbon's time zone at `instant`: WET or WEST. */
export function zoneAt(instant: number): string {
  const name = ZONE_NAME.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value;
  return name === 'GMT+1' || name === 'WEST' || name === 'BST' ? 'WEST' : 'WET';
}

const place = (language: Language) => (language === 'pt' ? 'hora de Lisboa' : 'Lisbon time');

function durationText(spanMs: number, comma: string): string {
  const two = (whole: number, unit: string, rest: number, small: string) =>
    rest === 0 ? `${whole}${NBSP}${unit}` : `${whole}${NBSP}${unit} ${rest}${NBSP}${small}`;
  if (spanMs < SECOND) return `${Math.round(spanMs)}${NBSP}ms`;
  if (spanMs < 10 * SECOND)
    return `${(Math.floor(spanMs / 100) / 10).toFixed(1).replace('.0', '').replace('.', comma)}${NBSP}s`;
  const seconds = Math.floor(spanMs / SECOND);
  if (spanMs < MINUTE) return `${seconds}${NBSP}s`;
  if (spanMs < HOUR) return two(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.floor(spanMs / MINUTE);
  if (spanMs < DAY) return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.floor(spanMs / HOUR);
  return two(Math.floor(hours / 24), 'd', hours % 24, 'h');
}
