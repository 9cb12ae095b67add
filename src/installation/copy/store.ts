import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { isPostgres, type Queryable, type Tx } from '../../db/database.ts';
import { clearMeta } from '../../db/meta.ts';
import { recordsOf } from '../../db/recordset.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';
import type { Row } from './sums.ts';

/** The most values of one statement; SQLite accepts 32,766, PostgreSQL 65,535. */
const VALUES_MAX = 30_000;

/** The position of a copy in a table: the key of its last row. */
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
  if (isPostgres(tx)) {
    // One JSON value instead of thousands of parameters, which is faster.
    await sql`insert into ${sql.table(name)}
      select * from json_populate_recordset(null::${sql.table(name)}, ${recordsOf(rows)}::json)`.execute(tx);
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

/** The approximate size of these rows, in characters. */
export function weigh(rows: readonly Row[]): number {
  let characters = 0;
  for (const row of rows) {
    for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 8;
  }
  return characters;
}

/** Facts of the database, not of the installation. The target builds its own search index. */
const NOT_COPIED = ['schema_version', 'schema_known_min', 'moved', 'copy', 'search'];

export async function readFacts(db: Queryable): Promise<Selectable<Tables['meta']>[]> {
  return await db.selectFrom('meta').selectAll().where('key', 'not in', NOT_COPIED).execute();
}

/** Writes the facts and ends the copy. */
export async function copyFacts(tx: Tx, facts: readonly Selectable<Tables['meta']>[]): Promise<void> {
  if (facts.length > 0) await tx.insertInto('meta').values(facts).execute();
  await clearMeta(tx, 'copy');
}

/** Collects the planner's statistics, which autovacuum would do only minutes after the copy. */
export async function analyse(db: Queryable): Promise<void> {
  for (const { name } of COPIED_TABLES) await sql`analyze ${sql.table(name)}`.execute(db).catch(() => {});
}
