import { countList } from '../../db/count-rows.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { UserTable } from '../../db/tables/backoffice.ts';
import type { Id } from '../../kernel/ids.ts';
import { A_PASSKEY } from './passkey-store.ts';

/** The user of a normalised e-mail, or null. */
export async function findUserByEmail(db: Queryable, email: string): Promise<UserTable | null> {
  const row = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
  return row ?? null;
}

export async function findUser(db: Queryable, id: Id<'usr'>): Promise<UserTable | null> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

export async function requireUser(db: Queryable, id: Id<'usr'>): Promise<UserTable> {
  const row = await findUser(db, id);
  if (row === null) throw new Error(`user ${id} does not exist`);
  return row;
}

/** Locks the user's row, which serialises changes of what belongs to them. */
export async function lockUser(tx: Tx, id: Id<'usr'>): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();
}

/** Inserts a user; false when the e-mail is taken. */
export async function insertUser(tx: Tx, user: UserTable): Promise<boolean> {
  const result = await tx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Replaces the password hash `old`; false when it is no longer the current one. */
export async function replacePassword(
  tx: Tx,
  id: Id<'usr'>,
  old: string | null,
  hash: string,
): Promise<boolean> {
  const result = await tx
    .updateTable('users')
    .set({ password_hash: hash, password_change: 0 })
    .where('id', '=', id)
    .where('password_hash', old === null ? 'is' : '=', old)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Marks the step of a code as used; false when it or a later one was used before. */
export async function markTotpStepUsed(tx: Tx, id: Id<'usr'>, step: number): Promise<boolean> {
  const result = await tx
    .updateTable('users')
    .set({ totp_step: step })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('totp_step', 'is', null), eb('totp_step', '<', step)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Changes a user without a condition on the current values. */
export async function updateUser(
  tx: Tx,
  id: Id<'usr'>,
  change: Partial<
    Pick<UserTable, 'active' | 'language' | 'unverified' | 'totp_secret' | 'totp_pending' | 'totp_step'>
  >,
): Promise<void> {
  await tx.updateTable('users').set(change).where('id', '=', id).execute();
}

/** Records a sign-in; false when the user is disabled, or password or second factor are no longer those of `user`. */
export async function setSignedInAt(
  tx: Tx,
  user: Pick<UserTable, 'id' | 'password_hash' | 'totp_secret'>,
  now: number,
): Promise<boolean> {
  const result = await tx
    .updateTable('users')
    .set({ signed_in_at: now })
    .where('id', '=', user.id)
    .where('active', '=', 1)
    .where('password_hash', user.password_hash === null ? 'is' : '=', user.password_hash)
    .where('totp_secret', user.totp_secret === null ? 'is' : '=', user.totp_secret)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Records that the user dismissed the changes of bank accounts up to this entry of the audit log. */
export async function setBankSeen(tx: Tx, id: Id<'usr'>, entry: Id<'aud'>): Promise<void> {
  await tx
    .updateTable('users')
    .set({ bank_seen: entry })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('bank_seen', 'is', null), eb('bank_seen', '<', entry)]))
    .execute();
}

/** Locks all operators, which serialises their removal. Resolves to the active ones. */
export async function lockOperators(tx: Tx): Promise<Id<'usr'>[]> {
  const rows = await tx
    .updateTable('users')
    .set((eb) => ({ operator: eb.ref('operator') }))
    .where('operator', '=', 1)
    .returning(['id', 'active'])
    .execute();
  return rows.filter((row) => row.active === 1).map((row) => row.id);
}

/** Users whose e-mail begins with `prefix`, by e-mail, after `search.after`. */
export async function usersLike(
  db: Queryable,
  search: { prefix: string; after: string | null; limit: number },
) {
  let query = beginningWith(db, search.prefix).selectAll().select(A_PASSKEY.as('passkey'));
  if (search.after !== null) query = query.where('email', '>', search.after);
  return await query.orderBy('email').limit(search.limit).execute();
}

export function countUsersLike(db: Queryable, prefix: string) {
  return countList(db, beginningWith(db, prefix).select('email'));
}

function beginningWith(db: Queryable, prefix: string) {
  const users = db.selectFrom('users');
  if (prefix === '') return users;
  return users.where('email', '>=', prefix).where('email', '<', `${prefix}\u{10ffff}`);
}

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
