import type { Queryable, Tx } from '../../db/database.ts';
import type { UserLinkTable } from '../../db/tables/backoffice.ts';
import type { Id } from '../../kernel/ids.ts';

export async function insertLink(tx: Tx, link: UserLinkTable): Promise<void> {
  await tx.insertInto('user_links').values(link).execute();
}

/** The link of a token's hash, when it can still be used at `now`. */
export async function findOpenLink(
  db: Queryable,
  tokenHash: string,
  now: number,
): Promise<UserLinkTable | null> {
  const row = await db
    .selectFrom('user_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

/** Uses a link up, which ends it; false when it was used, replaced or ended before. */
export async function spendLink(tx: Tx, tokenHash: string, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('user_links')
    .set({ used_at: now, expires_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Forgets a few links that were used or have ended: with each that is made two go, so that the table stays as small as its use. */
export async function clearEndedLinks(tx: Tx, now: number): Promise<void> {
  const ended = tx
    .selectFrom('user_links')
    .select('token_hash')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(2);
  await tx.deleteFrom('user_links').where('token_hash', 'in', ended).execute();
}

/** Forgets the unused links of a user that reset the password: a newer one, or a new password, takes their place. */
export async function deleteResetLinks(tx: Tx, userId: Id<'usr'>): Promise<void> {
  await tx
    .deleteFrom('user_links')
    .where('user_id', '=', userId)
    .where('kind', '=', 'reset')
    .where('used_at', 'is', null)
    .execute();
}

/** Forgets every unused link of a user. */
export async function deleteLinks(tx: Tx, userId: Id<'usr'>): Promise<void> {
  await tx.deleteFrom('user_links').where('user_id', '=', userId).where('used_at', 'is', null).execute();
}

/** Takes an invitation back. Resolves to the number of links that were open, 0 or 1. */
export async function deleteInvite(tx: Tx, userId: Id<'usr'>, merchantId: Id<'mer'>): Promise<number> {
  const result = await tx
    .deleteFrom('user_links')
    .where('user_id', '=', userId)
    .where('merchant_id', '=', merchantId)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** The open invitations of a merchant, by e-mail. */
export async function listInvites(
  db: Queryable,
  merchantId: Id<'mer'>,
  now: number,
): Promise<(Pick<UserLinkTable, 'user_id' | 'role' | 'created_at' | 'expires_at'> & { email: string })[]> {
  return await db
    .selectFrom('user_links')
    .innerJoin('users', 'users.id', 'user_links.user_id')
    .select([
      'user_links.user_id as user_id',
      'user_links.role as role',
      'user_links.created_at as created_at',
      'user_links.expires_at as expires_at',
      'users.email as email',
    ])
    .where('user_links.merchant_id', '=', merchantId)
    .where('user_links.used_at', 'is', null)
    .where('user_links.expires_at', '>', now)
    .orderBy('users.email')
    .execute();
}
