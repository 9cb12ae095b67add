import { z } from 'zod';
import { lisbonDay, lisbonTime } from '../kernel/lisbon.ts';
import { csvCell } from '../leads/csv.ts';

/** For whose spreadsheet a file is written; part of the query of every download of CSV. */
export const exportLanguage = z.enum(['pt', 'en']).default('pt');
export type ExportLanguage = z.output<typeof exportLanguage>;

export const CSV_TYPE = 'text/csv; charset=utf-8';

/** A spreadsheet takes a file for UTF-8 only with this in front. */
const BYTE_ORDER_MARK = '\ufeff';

/** The beginning of a file: its line of headings. */
export function csvHead(headings: readonly string[], language: ExportLanguage): string {
  return BYTE_ORDER_MARK + csvLine(headings, language);
}

/**
 * One line. Portuguese spreadsheets part cells by semicolons and decimals by a comma, the others by comma and dot: amounts
 * come through `csvEuros`, instants through `csvTime`.
 */
export function csvLine(values: readonly unknown[], language: ExportLanguage): string {
  return `${values.map((value) => csvCell(value)).join(language === 'pt' ? ';' : ',')}\r\n`;
}

/** Cents as euros with two decimals, ungrouped: `1234,56` or `1234.56`. */
export function csvEuros(amountCents: number, language: ExportLanguage): string {
  const digits = String(amountCents).padStart(3, '0');
  return `${digits.slice(0, -2)}${language === 'pt' ? ',' : '.'}${digits.slice(-2)}`;
}

/** An instant on Lisbon's clock, `2026-05-20 21:30:00`, which spreadsheets of both languages take for a time. */
export function csvTime(instant: number): string {
  const { hour, minute, second } = lisbonTime(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${lisbonDay(instant)} ${two(hour)}:${two(minute)}:${two(second)}`;
}
