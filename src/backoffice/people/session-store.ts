import type { Queryable, Tx } from '../../db/database.ts';
import type { SessionTable } from '../../db/tables/backoffice.ts';
import type { Id } from '../../kernel/ids.ts';

/** The open session of a token's hash, used after `idleSince`, with its active user. */
export async function findOpenSession(db: Queryable, tokenHash: string, now: number, idleSince: number) {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id as id', 'sessions.created_at as createdAt', 'sessions.seen_at as seenAt'])
    .select(['sessions.expires_at as expiresAt', 'sessions.verified_at as verifiedAt'])
    .select(['users.id as userId', 'users.email as email', 'users.operator as operator'])
    .select(['users.password_change as passwordChange', 'users.totp_secret as totpSecret'])
    .select('users.language as language')
    .select((eb) => [
      eb
        .selectFrom('passkeys')
        .select('passkeys.id')
        .whereRef('passkeys.user_id', '=', 'users.id')
        .limit(1)
        .as('passkey'),
      eb
        .selectFrom('passkeys')
        .select('passkeys.id')
        .whereRef('passkeys.id', '=', 'sessions.passkey_id')
        .as('confirmedBy'),
    ])
    .select((eb) =>
      eb
        .selectFrom('memberships')
        .innerJoin('merchants', 'merchants.id', 'memberships.merchant_id')
        .select('merchants.id')
        .whereRef('memberships.user_id', '=', 'users.id')
        .where('merchants.team_factor_at', 'is not', null)
        .limit(1)
        .as('teamOfFactor'),
    )
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .where('sessions.seen_at', '>', idleSince)
    .where('users.active', '=', 1)
    .executeTakeFirst();
  return row ?? null;
}

export async function touchSession(tx: Tx, id: Id<'ses'>, now: number): Promise<void> {
  await tx.updateTable('sessions').set({ seen_at: now }).where('id', '=', id).execute();
}

export async function insertSession(tx: Tx, session: SessionTable): Promise<void> {
  await tx.insertInto('sessions').values(session).execute();
}

/** Records that the password was entered again, or a passkey used. */
export async function verifySession(
  tx: Tx,
  id: Id<'ses'>,
  now: number,
  passkeyId?: Id<'pky'>,
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ verified_at: now, seen_at: now, ...(passkeyId !== undefined && { passkey_id: passkeyId }) })
    .where('id', '=', id)
    .execute();
}

/** A user's open sessions, newest first, at most `limit`. */
export async function listOpenSessions(
  db: Queryable,
  userId: Id<'usr'>,
  now: number,
  idleSince: number,
  limit: number,
) {
  return await db
    .selectFrom('sessions')
    .select(['id', 'created_at as createdAt', 'seen_at as seenAt', 'expires_at as expiresAt'])
    .select(['address', 'user_agent as userAgent'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('seen_at', '>', idleSince)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes a session of a user. Resolves to the number deleted, 0 or 1. */
export async function deleteSession(tx: Tx, userId: Id<'usr'>, id: Id<'ses'>): Promise<number> {
  const result = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Deletes the sessions of a user, except one if given. Resolves to the number deleted. */
export async function deleteSessions(tx: Tx, userId: Id<'usr'>, except: Id<'ses'> | null): Promise<number> {
  let query = tx.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== null) query = query.where('id', '!=', except);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Deletes the sessions that a passkey of the user started or confirmed, except one. */
export async function deleteSessionsOfPasskey(
  tx: Tx,
  userId: Id<'usr'>,
  passkeyId: Id<'pky'>,
  except: Id<'ses'>,
): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('passkey_id', '=', passkeyId)
    .where('id', '!=', except)
    .execute();
}

/** Deletes two sessions that have ended. Called with each new session, so that the table does not grow. */
export async function deleteEndedSessions(tx: Tx, now: number): Promise<void> {
  const ended = tx
    .selectFrom('sessions')
    .select('id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(2);
  await tx.deleteFrom('sessions').where('id', 'in', ended).execute();
}
