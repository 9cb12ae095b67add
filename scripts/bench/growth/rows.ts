import { statfsSync } from 'node:fs';
import { progress } from '../progress.ts';
import { whole } from '../text.ts';

const ROWS = 10_000_000;
const ROWS_WITHOUT_ROOM = 300_000;
/** A filled database takes 3.7 kB for a transaction with all that belongs to it, and sorting its indexes some more. */
const BYTES_PER_ROW = 4500;

/** How many transactions the large database gets: what was asked for, else ten million where `folder` has room for them. */
export function largeRows(asked: number | null, folder: string): number {
  if (asked !== null) return asked;
  const { bavail, bsize } = statfsSync(folder);
  const rows = rowsFor(bavail * bsize);
  if (rows < ROWS)
    progress(
      `growth: ${whole(rows)} transactions, because ten million want ${(ROWS * BYTES_PER_ROW) / 1e9} GB free in ${folder}`,
    );
  return rows;
}

/** Ten million, or 300,000 on a disk with less than 45 GB free. */
export function rowsFor(freeBytes: number): number {
  return freeBytes >= ROWS * BYTES_PER_ROW ? ROWS : ROWS_WITHOUT_ROOM;
}
