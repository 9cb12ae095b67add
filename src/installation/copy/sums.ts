import { hash } from 'node:crypto';
import type { CopiedTable } from './copied-tables.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Totals over rows, independent of batches and interruptions. */
export interface Sums {
  rows: number;
  /** The sum of the amounts, in cents. */
  cents: number;
  /** The sum of the hashes of all rows, 48 bits. */
  checksum: number;
}

export const NO_SUMS: Sums = { rows: 0, cents: 0, checksum: 0 };

const HASH_BYTES = 6;
const CHECKSUM_END = 2 ** (8 * HASH_BYTES);

/** Adds these rows to `sums`. The order of columns does not matter. */
export function addRows(table: CopiedTable, sums: Sums, rows: readonly Row[]): Sums {
  let { cents, checksum } = sums;
  for (const row of rows) {
    const digest = hash('sha256', textOf(row), 'buffer');
    checksum = (checksum + digest.readUIntBE(0, HASH_BYTES)) % CHECKSUM_END;
    for (const column of table.cents ?? []) cents += Number(row[column] ?? 0);
  }
  return { rows: sums.rows + rows.length, cents, checksum };
}

function textOf(row: Row): string {
  const values = Object.keys(row)
    .sort()
    .map((name) => [name, row[name]]);
  // PostgreSQL stores the replacement character instead of NUL.
  return JSON.stringify(values).replaceAll('\\u0000', '\uFFFD');
}

export function sameSums(a: Sums, b: Sums): boolean {
  return a.rows === b.rows && a.cents === b.cents && a.checksum === b.checksum;
}
