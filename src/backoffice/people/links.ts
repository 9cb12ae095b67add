import type { Queryable, Tx } from '../../db/database.ts';
import type { UserLinkTable, UserTable } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import { selectMerchant } from '../../merchants/store.ts';
import type { BackofficeContext } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { auditUser } from './audit-user.ts';
import { newDevice } from './device.ts';
import { deleteEndedLinks, deleteUnusedLinks, findOpenLink, insertLink, markLinkUsed } from './link-store.ts';
import { insertMember } from './member-store.ts';
import { listPasskeys } from './passkey-store.ts';
import { removeAllPasskeys } from './passkeys.ts';
import { hashPassword } from './password.ts';
import { checkPassword } from './password-rules.ts';
import { removeTotp } from './second-factor.ts';
import { hashToken, newToken, startSession } from './session.ts';
import { deleteSessions } from './session-store.ts';
import { findUser, replacePassword, requireUser, updateUser } from './user-store.ts';

const LINK_MS = 24 * 3_600_000;
/** The token follows the `#`, which browsers do not send, so no server logs it. */
const LINK_PATH = '/backoffice/link#';

/** Makes a one-time link that is valid for 24 hours, and queues the mail with it. Resolves to its path. */
export async function makeLink(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random' | 'queueMail'>,
  link: Pick<UserLinkTable, 'user_id' | 'kind'> &
    Partial<Pick<UserLinkTable, 'merchant_id' | 'role' | 'totp'>>,
  mail: 'invitation' | 'password-reset',
): Promise<string> {
  const now = deps.clock.now();
  const token = newToken(deps.random);
  await deleteEndedLinks(tx, now);
  const entity = hashToken(token);
  await insertLink(tx, {
    merchant_id: null,
    role: null,
    totp: 0,
    ...link,
    token_hash: entity,
    created_at: now,
    expires_at: now + LINK_MS,
    used_at: null,
  });
  const path = LINK_PATH + token;
  await deps.queueMail(tx, { kind: mail, entity, link: path });
  return path;
}

/**
 * Describes a link. Throws NOT_FOUND with `link_gone` when it is no longer valid. An invitation looks the same whether its e-mail
 * has an account or not, because the inviter also has the link.
 */
export async function showLink(ctx: BackofficeContext, token: string) {
  const { deps } = ctx;
  const { link, user } = await openLink(deps.db.read, token, deps.clock.now());
  const merchant = link.merchant_id === null ? null : await selectMerchant(deps.db.read, link.merchant_id);
  return {
    kind: link.kind,
    email: user.email,
    /** The merchant of an invitation; null for a reset. */
    merchantName: merchant?.name ?? null,
    role: link.role,
    /** Whether the caller is signed in as `email`, and accepts an invitation without a password. */
    signedIn: ctx.user?.id === user.id,
    removesFactor: link.totp === 1 && (await hasFactor(deps.db.read, user)),
    expiresAt: link.expires_at,
  };
}

async function hasFactor(db: Queryable, user: UserTable): Promise<boolean> {
  return user.totp_secret !== null || (await listPasskeys(db, user.id)).length > 0;
}

/**
 * Uses a link. A reset sets the password and signs in, unless a second factor is on (`sign_in`). An invitation is accepted by the
 * session of its person; without a session it only sets the password of a person who has none and always answers `sign_in`, so
 * that the link neither gives access to an existing account nor reveals it.
 */
export async function acceptLink(
  ctx: BackofficeContext,
  input: { token: string; password?: string | undefined },
): Promise<{ outcome: 'signed_in' | 'sign_in' }> {
  const { deps } = ctx;
  const { link, user } = await openLink(deps.db.read, input.token, deps.clock.now());
  if (link.kind === 'invite' && ctx.user?.id === user.id) return await joinSignedIn(ctx, link, user);

  const password = input.password ?? '';
  checkPassword(password, user.email);
  // Throttled, because the link of an invitation stays valid and each hash takes a slot for which sign-ins wait.
  await ctx.throttle.beginLink(link.token_hash);
  const hash = await hashPassword(deps, password);
  return link.kind === 'invite'
    ? await setFirstPassword(ctx, link, user, hash)
    : await resetPassword(ctx, link, user, hash);
}

async function resetPassword(
  ctx: BackofficeContext,
  link: UserLinkTable,
  found: UserTable,
  hash: string,
): Promise<{ outcome: 'signed_in' | 'sign_in' }> {
  const token = await ctx.deps.db.unit(async (tx) => {
    await requireUnusedLink(tx, ctx, link);
    if (!(await replacePassword(tx, found.id, found.password_hash, hash))) throw linkGone();
    // The second factor may have been turned on while the password was hashed.
    const user = await requireUser(tx, found.id);
    await deleteSessions(tx, user.id);
    await deleteUnusedLinks(tx, user.id, { kind: 'reset' });
    // The operator gave this link to the person of the e-mail.
    await updateUser(tx, user.id, { unverified: 0 });
    await auditUser(tx, ctx, user, 'user.password_changed', { by: link.kind });
    // An earlier user of the inviter's link could have added a passkey unknown to the account's owner.
    if (link.totp === 1 || user.unverified === 1) await removeAllPasskeys(tx, ctx, user);
    const keepsTotp = link.totp === 0 && user.totp_secret !== null;
    if (!keepsTotp && user.totp_secret !== null) {
      await removeTotp(tx, user.id);
      await auditUser(tx, ctx, user, 'user.totp_disabled', { by: link.kind });
    }
    return keepsTotp ? null : await startSession(tx, ctx, { ...user, totp_secret: null });
  });
  if (token === null) return { outcome: 'sign_in' };
  ctx.setCookie(token);
  ctx.setDevice(newDevice(ctx.deps, found.id));
  return { outcome: 'signed_in' };
}

/** Sets the password of an invited person who has none, and does nothing for others. The link stays valid until they join. */
async function setFirstPassword(
  ctx: BackofficeContext,
  link: UserLinkTable,
  user: UserTable,
  hash: string,
): Promise<{ outcome: 'sign_in' }> {
  const { db, clock } = ctx.deps;
  await db.unit(async (tx) => {
    if ((await findOpenLink(tx, link.token_hash, clock.now())) === null) throw linkGone();
    if (user.active === 0 || !(await replacePassword(tx, user.id, null, hash))) return;
    await deleteUnusedLinks(tx, user.id, { kind: 'reset' });
    const details = { by: link.kind, ...unverified(user) };
    await auditUser(tx, ctx, user, 'user.password_changed', details);
  });
  return { outcome: 'sign_in' };
}

/** Marks an entry of the audit log whose address no link of the operator has confirmed. */
function unverified(user: UserTable): { unverified?: true } {
  return user.unverified === 1 ? { unverified: true } : {};
}

async function openLink(db: Queryable, token: string, now: number) {
  const link = await findOpenLink(db, hashToken(token), now);
  const user = link === null ? null : await findUser(db, link.user_id);
  if (link === null || user === null) throw linkGone();
  if (link.kind === 'reset' && user.active === 0) throw linkGone();
  return { link, user };
}

async function joinSignedIn(
  ctx: BackofficeContext,
  link: UserLinkTable,
  user: UserTable,
): Promise<{ outcome: 'signed_in' }> {
  const { merchant_id, role } = link;
  await ctx.deps.db.unit(async (tx) => {
    await requireUnusedLink(tx, ctx, link);
    if (merchant_id === null || role === null) return;
    const member = { user_id: user.id, merchant_id, role, created_at: ctx.deps.clock.now() };
    if (!(await insertMember(tx, member))) return;
    await auditUser(tx, ctx, user, 'member.joined', { role, ...unverified(user) }, merchant_id);
  });
  return { outcome: 'signed_in' };
}

/** Marks the link as used in the transaction that depends on it, so that it works only once. */
async function requireUnusedLink(tx: Tx, { deps }: BackofficeContext, link: UserLinkTable): Promise<void> {
  if (!(await markLinkUsed(tx, link.token_hash, deps.clock.now()))) throw linkGone();
}

function linkGone(): BackofficeError {
  return new BackofficeError(
    'NOT_FOUND',
    'This link has been used, replaced by a newer one, or is older than 24 hours. Ask for a new link.',
    { reason: 'link_gone' },
  );
}
