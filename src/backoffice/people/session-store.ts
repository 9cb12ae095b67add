import type { Queryable, Tx } from '../../db/database.ts';
import type { SessionTable } from '../../db/tables/backoffice.ts';
import { CLOCK_DIFFERENCE_MS_MAX } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { A_PASSKEY } from './passkey-store.ts';

/**
 * The open session of a token's hash, used after `idleSince`, with its active user. A session from before the clock was set back is
 * not open, because its times would extend it.
 */
export async function findOpenSession(db: Queryable, tokenHash: string, now: number, idleSince: number) {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id as id', 'sessions.seen_at as seenAt', 'sessions.verified_at as verifiedAt'])
    .select(['users.id as userId', 'users.email as email', 'users.operator as operator'])
    .select(['users.password_change as passwordChange', 'users.totp_secret as totpSecret'])
    .select('users.language as language')
    .select(A_PASSKEY.as('passkey'))
    .select((eb) => [
      eb
        .selectFrom('passkeys')
        .select('passkeys.id')
        .whereRef('passkeys.id', '=', 'sessions.passkey_id')
        .as('confirmedBy'),
      eb
        .selectFrom('memberships')
        .innerJoin('merchants', 'merchants.id', 'memberships.merchant_id')
        .select('merchants.id')
        .whereRef('memberships.user_id', '=', 'users.id')
        .where('merchants.team_factor_at', 'is not', null)
        .limit(1)
        .as('teamOfFactor'),
    ])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .where('sessions.seen_at', '>', idleSince)
    .where('sessions.seen_at', '<=', now + CLOCK_DIFFERENCE_MS_MAX)
    .where('users.active', '=', 1)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the session has been neither ended nor replaced. */
export async function hasSession(tx: Tx, id: Id<'ses'>): Promise<boolean> {
  const row = await tx.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
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
    .where('seen_at', '<=', now + CLOCK_DIFFERENCE_MS_MAX)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes the sessions of a user: all, or those that match. Resolves to the number deleted. */
export async function deleteSessions(
  tx: Tx,
  userId: Id<'usr'>,
  /** `passkeyId` selects the sessions that the passkey started or confirmed, `seenAfter` those last used after this time. */
  {
    id,
    except,
    passkeyId,
    seenAfter,
  }: { id?: Id<'ses'>; except?: Id<'ses'>; passkeyId?: Id<'pky'>; seenAfter?: number } = {},
): Promise<number> {
  let query = tx.deleteFrom('sessions').where('user_id', '=', userId);
  if (id !== undefined) query = query.where('id', '=', id);
  if (except !== undefined) query = query.where('id', '!=', except);
  if (passkeyId !== undefined) query = query.where('passkey_id', '=', passkeyId);
  if (seenAfter !== undefined) query = query.where('seen_at', '>', seenAfter);
  return Number((await query.executeTakeFirst()).numDeletedRows);
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
