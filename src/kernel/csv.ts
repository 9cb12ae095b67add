import type { Language } from './language.ts';

/** Spreadsheets read a file as UTF-8 only when it begins with this mark. */
export const BYTE_ORDER_MARK = '\ufeff';

/** One line: cells separated by semicolons in Portuguese, by commas in English. */
export function csvLine(values: readonly unknown[], language: Language = 'en'): string {
  return `${values.map((value) => csvCell(value)).join(language === 'pt' ? ';' : ',')}\r\n`;
}

/** Cents as euros with two decimals, ungrouped: `1234,56` or `1234.56`. */
export function csvEuros(amountCents: number, language: Language): string {
  const euros = (amountCents / 100).toFixed(2);
  return language === 'pt' ? euros.replace('.', ',') : euros;
}

const LISBON_TIME = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Lisbon',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** An instant in Lisbon time: `2026-05-20 21:30:00`. */
export function csvTime(instant: number): string {
  return LISBON_TIME.format(instant);
}

/** A country code of ITU-T E.164, and the rest of the number. */
const INTERNATIONAL =
  /^(?:\+|00)\s*(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})[\s.-]*(\d[\d\s.-]*)$/;

/**
 * A phone number that spreadsheets show as text: `(+351) 912 345 678`. A leading + would need the apostrophe against formulas,
 * and Portuguese spreadsheets parse digits and spaces as a number. Returns other texts unchanged.
 */
export function csvPhone(phone: string | null): string | null {
  const [, code, rest = ''] = INTERNATIONAL.exec(phone?.trim() ?? '') ?? [];
  if (code === undefined) return phone;
  return `(+${code}) ${rest.replace(/^(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3')}`;
}

// csv-stringify escapes only the first character of a cell. Customers write these cells and merchants open them in
// spreadsheets with other separators, so a formula is also escaped after blanks and after any separator in the text.
const FORMULA_SIGN = /[=+\-@＝＋－＠]/;
const FORMULA_START = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const SEPARATOR = /[;,\t\r\n]/;
const BLANK = /[\s\p{Cc}\p{Cf}"]/u;
const NEEDS_QUOTES = /[",;\t\r\n]/;

/** One cell, quoted for any separator, with an apostrophe before each formula. Numbers are written unchanged. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const disarmed = FORMULA_SIGN.test(text) ? disarm(text) : text;
  const safe = FORMULA_START.test(text) ? `'${disarmed}` : disarmed;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Puts an apostrophe before each formula sign that follows a separator and blanks, in one pass over the text. */
function disarm(text: string): string {
  let safe = '';
  let startsCell = false;
  for (const character of text) {
    if (startsCell && FORMULA_SIGN.test(character)) safe += "'";
    startsCell = SEPARATOR.test(character) || (startsCell && BLANK.test(character));
    safe += character;
  }
  return safe;
}
