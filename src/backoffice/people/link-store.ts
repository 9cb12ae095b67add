import type { Queryable, Tx } from '../../db/database.ts';
import type { UserLinkTable } from '../../db/tables/backoffice.ts';
import type { Id } from '../../kernel/ids.ts';

export async function insertLink(tx: Tx, link: UserLinkTable): Promise<void> {
  await tx.insertInto('user_links').values(link).execute();
}

/** The link of a token's hash, if it is valid at `now`. */
export async function findOpenLink(db: Queryable, tokenHash: string, now: number) {
  const row = await db
    .selectFrom('user_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

/** Marks a link as used; false when it is no longer valid. */
export async function markLinkUsed(tx: Tx, tokenHash: string, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('user_links')
    .set({ used_at: now, expires_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Deletes two links that have ended. Called with each new link, so that the table does not grow. */
export async function deleteEndedLinks(tx: Tx, now: number): Promise<void> {
  const ended = tx
    .selectFrom('user_links')
    .select('token_hash')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(2);
  await tx.deleteFrom('user_links').where('token_hash', 'in', ended).execute();
}

/** Deletes the unused links of a user: all, those of a kind, or the invitation of a merchant. Resolves to the number deleted. */
export async function deleteUnusedLinks(
  tx: Tx,
  userId: Id<'usr'>,
  { kind, merchantId }: { kind?: UserLinkTable['kind']; merchantId?: Id<'mer'> } = {},
): Promise<number> {
  let query = tx.deleteFrom('user_links').where('user_id', '=', userId).where('used_at', 'is', null);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (merchantId !== undefined) query = query.where('merchant_id', '=', merchantId);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** The open invitations of a merchant, by e-mail. */
export async function listInvites(db: Queryable, merchantId: Id<'mer'>, now: number) {
  return await db
    .selectFrom('user_links')
    .innerJoin('users', 'users.id', 'user_links.user_id')
    .select(['users.id as userId', 'users.email as email', 'user_links.role as role'])
    .select('user_links.expires_at as expiresAt')
    .where('user_links.merchant_id', '=', merchantId)
    .where('user_links.used_at', 'is', null)
    .where('user_links.expires_at', '>', now)
    .orderBy('users.email')
    .execute();
}
