import type { Queryable, Tx } from '../../db/database.ts';
import type { SessionTable } from '../../db/tables/backoffice.ts';
import type { Id } from '../../kernel/ids.ts';

export interface OpenSession {
  id: Id<'ses'>;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
  verifiedAt: number;
  userId: Id<'usr'>;
  email: string;
  operator: 0 | 1;
  passwordChange: 0 | 1;
  totpSecret: string | null;
}

/** The session of a token's hash, with its active user, when it was used after `idleSince` and has not ended at `now`. */
export async function findOpenSession(
  db: Queryable,
  tokenHash: string,
  now: number,
  idleSince: number,
): Promise<OpenSession | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id as id',
      'sessions.created_at as createdAt',
      'sessions.seen_at as seenAt',
      'sessions.expires_at as expiresAt',
      'sessions.verified_at as verifiedAt',
      'users.id as userId',
      'users.email as email',
      'users.operator as operator',
      'users.password_change as passwordChange',
      'users.totp_secret as totpSecret',
    ])
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

/** Notes that the password was given again. */
export async function verifySession(tx: Tx, id: Id<'ses'>, now: number): Promise<void> {
  await tx.updateTable('sessions').set({ verified_at: now, seen_at: now }).where('id', '=', id).execute();
}

/** A user's open sessions, newest first, at most `limit`. */
export async function listOpenSessions(
  db: Queryable,
  userId: Id<'usr'>,
  now: number,
  idleSince: number,
  limit: number,
): Promise<SessionTable[]> {
  return await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('seen_at', '>', idleSince)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Ends one session of a user. Resolves to the number ended, 0 or 1. */
export async function deleteSession(tx: Tx, userId: Id<'usr'>, id: Id<'ses'>): Promise<number> {
  const result = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Ends every session of a user but one (or none). Resolves to the number ended. */
export async function deleteSessions(tx: Tx, userId: Id<'usr'>, except: Id<'ses'> | null): Promise<number> {
  let query = tx.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== null) query = query.where('id', '!=', except);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Forgets a few sessions that have ended: with each that begins two go, so that the table stays as small as its use. */
export async function clearEndedSessions(tx: Tx, now: number): Promise<void> {
  const ended = tx
    .selectFrom('sessions')
    .select('id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(2);
  await tx.deleteFrom('sessions').where('id', 'in', ended).execute();
}
