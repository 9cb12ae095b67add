import type { Queryable, Tx } from './database.ts';

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
  | 'search';

/** The value under `key`, or null. */
export async function readMeta(db: Queryable, key: MetaKey): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

/** Locks the installation's facts until the transaction ends. */
export async function lockMeta(tx: Tx): Promise<void> {
  await tx.selectFrom('meta').select('key').where('key', '=', 'schema_version').forUpdate().execute();
}

export async function clearMeta(tx: Tx, key: MetaKey): Promise<void> {
  await tx.deleteFrom('meta').where('key', '=', key).execute();
}

/** Inserts the value under `key`. False when the key already has one. */
export async function claimMeta(tx: Tx, key: MetaKey, value: string): Promise<boolean> {
  const insert = tx.insertInto('meta').values({ key, value });
  const row = await insert
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

export async function writeMeta(tx: Tx, key: MetaKey, value: string): Promise<void> {
  await tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
