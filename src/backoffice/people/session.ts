import { hash } from 'node:crypto';
import { recordAudit } from '../../audit/store.ts';
import type { Settings } from '../../config.ts';
import type { Tx } from '../../db/database.ts';
import type { PasskeyTable, UserTable } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import { CLOCK_DIFFERENCE_MS_MAX } from '../../kernel/clock.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Random } from '../../kernel/random.ts';
import { VERSION } from '../../version.ts';
import type { BackofficeContext, Session, User, UserContext } from '../context.ts';
import { type BackofficeError, notFound, refused, sessionEnded } from '../errors.ts';
import { listMemberships } from './member-store.ts';
import {
  deleteEndedSessions,
  deleteSessions,
  findOpenSession,
  hasSession,
  insertSession,
  listOpenSessions,
  touchSession,
} from './session-store.ts';
import { setSignedInAt } from './user-store.ts';

const SESSION_MS = 7 * 24 * 3_600_000;
/** A session ends when it has not been used for this long. */
const IDLE_MS = 12 * 3_600_000;
/** The time of last use is written at most this often. */
const SEEN_EVERY_MS = 60_000;
const LISTED_MAX = 100;
const TOKEN_BYTES = 32;

/** A new 256-bit secret for a cookie or a link, URL-safe. */
export function newToken(random: Random): string {
  return random(TOKEN_BYTES).toString('base64url');
}

/** The form in which a token is stored. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * The session of a cookie's token, with its user; null when it has ended or the user is disabled. The polling of a page that
 * was left open does not extend it.
 */
export async function findSession(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'settings'>,
  token: string,
  { isPoll }: { isPoll: boolean },
): Promise<{ user: User; session: Session } | null> {
  const now = deps.clock.now();
  const row = await findOpenSession(deps.db.read, hashToken(token), now, now - IDLE_MS);
  if (row === null) return null;
  if (!isPoll && now - row.seenAt >= SEEN_EVERY_MS) recordUse(deps, row.id, now);
  return {
    user: {
      id: row.userId,
      email: row.email,
      operator: row.operator === 1,
      passwordChange: row.passwordChange === 1,
      language: row.language,
      ...secondFactor(row, deps.settings),
    },
    session: { id: row.id, verifiedAt: row.verifiedAt },
  };
}

/**
 * The second factor of a session's user. An authenticator's code is required at each sign-in with the password; a passkey only
 * counts in the sessions that it started or confirmed.
 */
function secondFactor(
  row: NonNullable<Awaited<ReturnType<typeof findOpenSession>>>,
  { bank }: Settings,
): Pick<User, 'totp' | 'passkeys' | 'factorDue'> {
  const totp = row.totpSecret !== null;
  // Operators of a real bank move real money, and the owner of a team can require it.
  const isRequired = (row.operator === 1 && bank !== 'sandbox') || row.teamOfFactor !== null;
  const needed = !totp && isRequired;
  const has = needed ? 'required' : 'optional';
  return {
    totp,
    passkeys: row.passkey === null ? 'none' : has,
    factorDue: needed && row.confirmedBy === null,
  };
}

/** Runs in the background, so that the response does not wait for it. */
function recordUse(deps: Pick<Deps, 'db' | 'log'>, id: Session['id'], now: number): void {
  deps.db
    .unit((tx) => touchSession(tx, id, now))
    .catch((error: unknown) =>
      deps.log.warn({ sessionId: id, cause: errorText(error) }, 'cannot record the use of a session'),
    );
}

/**
 * Starts a session of an authenticated user in the caller's transaction. Resolves to the cookie's token. Throws when the
 * password, the second factor or the account changed after `user` was read, because that change ended all sessions.
 */
export async function startSession(
  tx: Tx,
  ctx: BackofficeContext,
  user: Pick<UserTable, 'id' | 'email' | 'password_hash' | 'totp_secret'>,
  passkey: Pick<PasskeyTable, 'id' | 'name'> | null = null,
): Promise<string> {
  const { deps, address, userAgent } = ctx;
  const now = deps.clock.now();
  const token = newToken(deps.random);
  const id = deps.ids('ses');
  if (!(await setSignedInAt(tx, user, now))) throw signInWrong();
  // A new sign-in in the same browser replaces its session.
  if (ctx.user !== null && ctx.session !== null)
    await deleteSessions(tx, ctx.user.id, { id: ctx.session.id });
  // Sessions used before the clock was set back would be open again once it reaches their time.
  await deleteSessions(tx, user.id, { seenAfter: now + CLOCK_DIFFERENCE_MS_MAX });
  await deleteEndedSessions(tx, now);
  await insertSession(tx, {
    id,
    user_id: user.id,
    token_hash: hashToken(token),
    created_at: now,
    seen_at: now,
    expires_at: now + SESSION_MS,
    verified_at: now,
    address,
    user_agent: userAgent,
    passkey_id: passkey?.id ?? null,
  });
  const actor = { userId: user.id, name: user.email, address };
  const details = passkey === null ? {} : { details: { passkey: passkey.name } };
  const entry = { action: 'user.signed_in', merchantId: null, target: id, ...details } as const;
  await recordAudit(tx, { ...deps, actor }, entry);
  return token;
}

/**
 * Throws when the caller's session was ended after the call began. Call it in the transaction that adds a second factor, which
 * would outlive the session.
 */
export async function requireSession(tx: Tx, { session }: Pick<UserContext, 'session'>): Promise<void> {
  if (!(await hasSession(tx, session.id))) throw sessionEnded();
}

export function signInWrong(): BackofficeError {
  return refused('sign_in_wrong', 'The email or the password is wrong.');
}

export async function signOut({ deps, user, session, setCookie }: UserContext): Promise<void> {
  await deps.db.unit((tx) => deleteSessions(tx, user.id, { id: session.id }));
  setCookie(null);
}

/** The signed-in user, with their merchants by name (at most 500). For operators the list is empty: they search. */
export async function currentSession({ deps, user, passkeySite }: BackofficeContext) {
  return {
    user,
    memberships: user === null || user.operator ? [] : await listMemberships(deps.db.read, [user.id]),
    /** Whether payments are test money. */
    sandbox: deps.settings.bank === 'sandbox',
    /** Whether one-time links are also sent by e-mail. */
    mail: deps.settings.mail,
    /** The sandbox's page; null with a real bank and for visitors. */
    sandboxUrl: user === null ? null : (deps.sandboxUrl ?? null),
    /** The service's public address; null when none is set, and for visitors. */
    publicUrl: user === null ? null : deps.settings.publicUrl,
    version: VERSION,
    /** Where passkeys work; null when they work nowhere. */
    passkeyOrigin: passkeySite?.origin ?? null,
  };
}

/** The caller's open sessions, newest first. */
export async function listSessions({ deps, user, session }: UserContext) {
  const now = deps.clock.now();
  const rows = await listOpenSessions(deps.db.read, user.id, now, now - IDLE_MS, LISTED_MAX);
  return rows.map((row) => ({ ...row, current: row.id === session.id }));
}

/** Ends one of the caller's sessions. Throws NOT_FOUND when it is not theirs or has ended. */
export async function revokeSession({ deps, user }: UserContext, id: Id<'ses'>): Promise<void> {
  await deps.db.unit(async (tx) => {
    if ((await deleteSessions(tx, user.id, { id })) === 0) throw notFound();
    await recordAudit(tx, deps, { action: 'session.revoked', merchantId: null, target: id });
  });
}

/** Ends all of the caller's other sessions. Resolves to their number. */
export async function revokeOtherSessions({ deps, user, session }: UserContext) {
  return await deps.db.unit(async (tx) => {
    const revoked = await deleteSessions(tx, user.id, { except: session.id });
    const entry = { action: 'session.revoked', merchantId: null, target: user.id } as const;
    if (revoked > 0) await recordAudit(tx, deps, { ...entry, details: { others: revoked } });
    return { revoked };
  });
}
