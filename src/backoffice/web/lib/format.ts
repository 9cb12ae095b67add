import { type Format, formatOf } from './format-of.ts';
import { type Language, useLanguage } from './i18n.ts';

export type { Format } from './format-of.ts';

const FORMATS: Record<Language, Format> = { en: formatOf('en'), pt: formatOf('pt') };

/** Formats amounts, numbers and times in the current language. */
export function useFormat(): Format {
  return FORMATS[useLanguage().language];
}

/** Formats `912345678` as `912 345 678`. */
export function inThrees(digits: string): string {
  return digits.replace(/(\d{3})(?=\d)/g, '$1\u00a0');
}
