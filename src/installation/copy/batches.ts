import { sql } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';
import { hasRowLocks } from '../../db/row-locks.ts';
import type { CopiedTable } from './copied-tables.ts';
import type { Row } from './sums.ts';

/** Values that one statement carries at most; SQLite takes 32,766, PostgreSQL 65,535. */
const VALUES_MAX = 30_000;

/** Where a table's copy stands: the key of its last row. */
export type Place = readonly (string | number)[];

/** The next rows of a table after `after`, in the order of its key. */
export async function readBatch(
  db: Queryable,
  { name, key }: CopiedTable,
  after: Place | null,
  limit: number,
): Promise<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const beyond =
    after === null ? sql`` : sql`where (${columns}) > (${sql.join(after.map((value) => sql`${value}`))})`;
  const { rows } = await sql<Row>`
    select * from ${sql.table(name)} ${beyond} order by ${columns} limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** The key of a row. */
export function placeOf({ key }: CopiedTable, row: Row): Place {
  return key.map((column) => row[column] as string | number);
}

export async function countRows(db: Queryable, { name }: CopiedTable): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db);
  return Number(rows[0]?.n);
}

export async function isEmpty(db: Queryable, { name }: CopiedTable): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
  return rows.length === 0;
}

/** Writes rows of one table, all with the same columns. */
export async function writeBatch(tx: Tx, { name }: CopiedTable, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  if (hasRowLocks(tx)) {
    // One value in place of thousands: the server takes the rows out of it three times as fast.
    await sql`insert into ${sql.table(name)}
      select * from json_populate_recordset(null::${sql.table(name)}, ${asJson(rows)}::json)`.execute(tx);
    return;
  }
  const columns = Object.keys(first);
  const rowsMax = Math.floor(VALUES_MAX / columns.length);
  for (let from = 0; from < rows.length; from += rowsMax) {
    const values = rows
      .slice(from, from + rowsMax)
      .map((row) => sql`(${sql.join(columns.map((column) => sql`${row[column]}`))})`);
    await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)}`.execute(tx);
  }
}

function asJson(rows: readonly Row[]): string {
  return JSON.stringify(rows, (_name, value) =>
    typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value,
  );
}

/** Characters of text in these rows: what a batch weighs. */
export function weigh(rows: readonly Row[]): number {
  let characters = 0;
  for (const row of rows) {
    for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 8;
  }
  return characters;
}
