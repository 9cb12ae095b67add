import type { Queryable, Tx } from './database.ts';
import { hasRowLocks } from './row-locks.ts';

/**
 * Facts about the installation: schema version, the migrations that a program must contain, the state of a move or copy, the
 * bank, the check texts of the secret key and of its successor, the demo merchant with its encrypted login, the last backup, the
 * progress of the search index.
 */
export type MetaKey =
  | 'schema_version'
  | 'schema_known_min'
  | 'moved'
  | 'copy'
  | 'bank'
  | 'secret_check'
  | 'secret_check_next'
  | 'demo_merchant'
  | 'demo_login'
  | 'demo_data'
  | 'backup_at'
  | 'search'
  | RetentionKey;

/** The position of the retention job in each table, JSON. */
export type RetentionKey = `retention_${RetainedTableName}`;
export type RetainedTableName = 'delivery_attempts' | 'idempotency' | 'bank_hints' | 'api_requests' | 'mails';

/** The value under `key`, or null. */
export async function readMeta(db: Queryable, key: MetaKey): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

/** Locks the installation's facts until the transaction ends. */
export async function lockMeta(tx: Tx): Promise<void> {
  if (!hasRowLocks(tx)) return;
  await tx.selectFrom('meta').select('key').where('key', '=', 'schema_version').forUpdate().execute();
}

/** Deletes the value under `key`. */
export async function clearMeta(tx: Tx, key: MetaKey): Promise<void> {
  await tx.deleteFrom('meta').where('key', '=', key).execute();
}

/** Sets the value under `key`. */
export async function writeMeta(tx: Tx, key: MetaKey, value: string): Promise<void> {
  await tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Replaces the value `from` (null: none) by `to`; false when another process has changed it since. */
export async function replaceMeta(tx: Tx, key: MetaKey, from: string | null, to: string): Promise<boolean> {
  if (from === null) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('meta')
      .values({ key, value: to })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await tx
    .updateTable('meta')
    .set({ value: to })
    .where('key', '=', key)
    .where('value', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
