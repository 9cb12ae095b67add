import { sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import type { EncryptedColumn } from './encrypted-columns.ts';

/** The next secrets of a column, in the order of their keys. */
export async function secretsAfter(
  db: Queryable,
  { table, column, key, only }: EncryptedColumn,
  after: string,
  limit: number,
): Promise<{ key: string; encrypted: string }[]> {
  const some = only === undefined ? sql`` : sql`and ${sql.ref(key)} in (${sql.join(only)})`;
  const { rows } = await sql<{ key: string; encrypted: string }>`
    select ${sql.ref(key)} as "key", ${sql.ref(column)} as encrypted from ${sql.table(table)}
    where ${sql.ref(key)} > ${after} and ${sql.ref(column)} is not null ${some}
    order by ${sql.ref(key)} limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** Replaces a secret; false when it has changed since it was read. */
export async function replaceSecret(
  tx: Tx,
  { table, column, key }: EncryptedColumn,
  row: { key: string; encrypted: string },
  renewed: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${renewed}
    where ${sql.ref(key)} = ${row.key} and ${sql.ref(column)} = ${row.encrypted}`.execute(tx);
  return Number(numAffectedRows ?? 0) === 1;
}
