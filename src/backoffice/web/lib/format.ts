import { type Format, formatOf } from './format-of.ts';
import { inLanguage } from './i18n.ts';

export type { Format } from './format-of.ts';

/** Formats amounts, numbers and times in the language of the pages. */
export const format: Format = inLanguage({ en: formatOf('en'), pt: formatOf('pt') });

/** Formats a count as `1,000+` when there are others, which were not counted. */
export function countText({ count, more }: { readonly count: number; readonly more: boolean }): string {
  return more ? `${format.count(count)}+` : format.count(count);
}

/** Formats `912345678` as `912 345 678`. */
export function inThrees(digits: string): string {
  return digits.replace(/(\d{3})(?=\d)/g, '$1\u00a0');
}
