import type { Language } from '../../lib/i18n.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];
const STEP = 1000;
const NBSP = '\u00a0';

/** Formats a size in its largest unit, with one decimal below ten. */
export function bytesText(bytes: number, language: Language): string {
  let value = bytes;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? value.toFixed(1) : String(Math.round(value));
  return `${language === 'pt' ? digits.replace('.', ',') : digits}${NBSP}${UNITS[unit]}`;
}
