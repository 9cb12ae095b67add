import type { Queryable, Tx } from './database.ts';
import { hasRowLocks } from './row-locks.ts';

/**
 * Facts about the installation itself: its schema and how many migrations a program must know to use it, whether it was moved
 * elsewhere or is a copy that is not complete, which bank it belongs to, the proof of its secret key and, while it is being
 * changed, of the new one, the demo merchant, its login
 * (sealed for `meta.demo_login`) and the seed of demo data, when it was last copied.
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
  | RetentionKey;

/** How far the forgetting of old rows is, by table; the retention's own JSON. */
export type RetentionKey = 'retention_delivery_attempts' | 'retention_idempotency' | 'retention_bank_hints';

/** The value under `key`, or null. */
export async function readMeta(db: Queryable, key: MetaKey): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

/** Makes whoever else is about to decide about the installation's facts wait until this unit is over. */
export async function lockMeta(tx: Tx): Promise<void> {
  if (!hasRowLocks(tx)) return;
  await tx.selectFrom('meta').select('key').where('key', '=', 'schema_version').forUpdate().execute();
}

/** Forgets the value under `key`. */
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
