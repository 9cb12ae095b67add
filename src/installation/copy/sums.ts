import { createHash } from 'node:crypto';
import type { CopiedTable } from './copied-tables.ts';

/** A row of any table. */
export type Row = Readonly<Record<string, unknown>>;

/** What rows come to, however they are divided into batches and wherever the counting was interrupted. */
export interface Sums {
  rows: number;
  /** Of the columns of money, in cents. */
  cents: number;
  /** The hashes of all rows, added up: 48 bits. */
  checksum: number;
}

export const NO_SUMS: Sums = { rows: 0, cents: 0, checksum: 0 };

const HASH_BYTES = 6;
const CHECKSUM_END = 2 ** (8 * HASH_BYTES);

/** `sums` with these rows. Columns count by their names, so that engines may return them in any order. */
export function addRows(table: CopiedTable, sums: Sums, rows: readonly Row[]): Sums {
  let { cents, checksum } = sums;
  for (const row of rows) {
    const hash = createHash('sha256').update(textOf(row)).digest();
    checksum = (checksum + hash.readUIntBE(0, HASH_BYTES)) % CHECKSUM_END;
    for (const column of table.cents ?? []) cents += Number(row[column] ?? 0);
  }
  return { rows: sums.rows + rows.length, cents, checksum };
}

function textOf(row: Row): string {
  const values = Object.keys(row)
    .sort()
    .map((name) => [name, row[name]]);
  // PostgreSQL has no text with NUL: it keeps the replacement character.
  return JSON.stringify(values).replaceAll('\\u0000', '\uFFFD');
}

export function sameSums(a: Sums, b: Sums): boolean {
  return a.rows === b.rows && a.cents === b.cents && a.checksum === b.checksum;
}
