import { sql } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';
import type { PasskeyChallengeTable, PasskeyTable } from '../../db/tables/backoffice.ts';
import type { Id } from '../../kernel/ids.ts';

/** Inserts a passkey; false when its credential is registered already. */
export async function insertPasskey(tx: Tx, passkey: PasskeyTable): Promise<boolean> {
  const result = await tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** The passkeys of a user, oldest first. `addPasskey` bounds their number. */
export async function listPasskeys(db: Queryable, userId: Id<'usr'>): Promise<PasskeyTable[]> {
  return await db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}

/** A passkey of each user of a query on `users`; null for a user without one. */
export const A_PASSKEY = sql<Id<'pky'> | null>`(
  select passkeys.id from passkeys where passkeys.user_id = users.id limit 1)`;

export async function findCredential(db: Queryable, credentialId: string): Promise<PasskeyTable | null> {
  const row = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Records a use with the authenticator's counter. Resolves to `regressed` when the counter did not grow, unless it is 0 as on
 * authenticators without one, and to `removed` when the passkey no longer exists.
 */
export async function recordPasskeyUse(
  tx: Tx,
  id: Id<'pky'>,
  counter: number,
  now: number,
): Promise<'used' | 'regressed' | 'removed'> {
  const result = await tx
    .updateTable('passkeys')
    .set({ counter, used_at: now })
    .where('id', '=', id)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst();
  if (result.numUpdatedRows === 1n) return 'used';
  const row = await tx.selectFrom('passkeys').select('id').where('id', '=', id).executeTakeFirst();
  return row === undefined ? 'removed' : 'regressed';
}

/** Deletes the passkeys of a user, or one of them. Resolves to their names. */
export async function deletePasskeys(tx: Tx, userId: Id<'usr'>, id?: Id<'pky'>): Promise<string[]> {
  let query = tx.deleteFrom('passkeys').where('user_id', '=', userId);
  if (id !== undefined) query = query.where('id', '=', id);
  return (await query.returning('name').execute()).map(({ name }) => name);
}

/** Deletes two of the oldest challenges without a user, if there are more than `max`. */
export async function deleteOldestChallenges(tx: Tx, max: number): Promise<void> {
  const oldest = tx
    .selectFrom('passkey_challenges')
    .select('challenge_hash')
    .where('user_id', 'is', null)
    .orderBy('expires_at', 'desc')
    .offset(max)
    .limit(2);
  await tx.deleteFrom('passkey_challenges').where('challenge_hash', 'in', oldest).execute();
}

/** Inserts a challenge in place of the user's earlier ones, and deletes two that have ended, so that the table does not grow. */
export async function insertChallenge(tx: Tx, challenge: PasskeyChallengeTable, now: number): Promise<void> {
  if (challenge.user_id !== null) {
    await tx.deleteFrom('passkey_challenges').where('user_id', '=', challenge.user_id).execute();
  }
  const ended = tx
    .selectFrom('passkey_challenges')
    .select('challenge_hash')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(2);
  await tx.deleteFrom('passkey_challenges').where('challenge_hash', 'in', ended).execute();
  await tx.insertInto('passkey_challenges').values(challenge).execute();
}

/** Uses a challenge up; false when it is unknown, of another kind or user, or has ended. */
export async function deleteChallenge(
  tx: Tx,
  { challenge_hash, kind, user_id }: Omit<PasskeyChallengeTable, 'expires_at'>,
  now: number,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', challenge_hash)
    .where('kind', '=', kind)
    .where('user_id', user_id === null ? 'is' : '=', user_id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
