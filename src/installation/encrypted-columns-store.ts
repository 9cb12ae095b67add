import { sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import type { SealedPlace } from './encrypted-columns.ts';

/** The next secrets of a place, in the order of its keys. */
export async function sealedAfter(
  db: Queryable,
  { table, column, key, only }: SealedPlace,
  after: string,
  limit: number,
): Promise<{ key: string; sealed: string }[]> {
  const some = only === undefined ? sql`` : sql`and ${sql.ref(key)} in (${sql.join(only)})`;
  const { rows } = await sql<{ key: string; sealed: string }>`
    select ${sql.ref(key)} as "key", ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(key)} > ${after} and ${sql.ref(column)} is not null ${some}
    order by ${sql.ref(key)} limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** Writes a secret in the place of the one that was read; false when that has been changed since. */
export async function replaceSealed(
  tx: Tx,
  { table, column, key }: SealedPlace,
  row: { key: string; sealed: string },
  renewed: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${renewed}
    where ${sql.ref(key)} = ${row.key} and ${sql.ref(column)} = ${row.sealed}`.execute(tx);
  return Number(numAffectedRows ?? 0) === 1;
}
