import type { Queryable, Tx } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** Replaces the recovery codes of a user; with none it deletes them. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: Id<'usr'>,
  hashes: readonly string[],
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute();
}

/** The unused recovery codes of a user, as hashes. */
export async function recoveryHashes(db: Queryable, userId: Id<'usr'>): Promise<string[]> {
  const rows = await db.selectFrom('recovery_codes').select('hash').where('user_id', '=', userId).execute();
  return rows.map(({ hash }) => hash);
}

/** Uses a recovery code up; false when the user does not have it, or no longer has it. */
export async function deleteRecoveryCode(tx: Tx, userId: Id<'usr'>, hash: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
