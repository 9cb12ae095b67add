import { recordAudit } from '../../audit/store.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { UserLinkTable, UserTable } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import { selectMerchant } from '../../merchants/store.ts';
import type { BackofficeContext } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { deleteEndedLinks, deleteResetLinks, findOpenLink, insertLink, markLinkUsed } from './link-store.ts';
import { insertMember } from './member-store.ts';
import { hashPassword } from './password.ts';
import { checkPassword } from './password-rules.ts';
import { hashToken, newToken, startSession } from './session.ts';
import { deleteSessions } from './session-store.ts';
import { findUser, replacePassword, requireUser, setTotp } from './user-store.ts';

const LINK_MS = 24 * 3_600_000;
/** The token follows the `#`, which browsers do not send, so no server logs it. */
const LINK_PATH = '/backoffice/link#';

/** Makes a one-time link that is valid for 24 hours. Resolves to its path. */
export async function makeLink(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  link: Pick<UserLinkTable, 'user_id' | 'kind' | 'merchant_id' | 'role' | 'totp'>,
): Promise<string> {
  const now = deps.clock.now();
  const token = newToken(deps.random);
  await deleteEndedLinks(tx, now);
  await insertLink(tx, {
    ...link,
    token_hash: hashToken(token),
    created_at: now,
    expires_at: now + LINK_MS,
    used_at: null,
  });
  return LINK_PATH + token;
}

/**
 * What a link is for. Throws NOT_FOUND with `link_gone` when it is no longer valid. An invitation looks the same whether its
 * e-mail has an account or not, because the inviter holds the link too.
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
    removesTotp: link.totp === 1 && user.totp_secret !== null,
    expiresAt: link.expires_at,
  };
}

/**
 * Uses a link. A person who sets a password is signed in, unless a second factor is on (`sign_in`). An invitation of a
 * person who has a password needs their session: a link alone gives no access to an existing account.
 */
export async function acceptLink(
  ctx: BackofficeContext,
  input: { token: string; password?: string | undefined },
): Promise<{ outcome: 'signed_in' | 'sign_in' }> {
  const { deps } = ctx;
  const { link, user: found } = await openLink(deps.db.read, input.token, deps.clock.now());
  if (link.kind === 'invite' && ctx.user?.id === found.id) return await joinSignedIn(ctx, link, found);

  const password = input.password ?? '';
  // Before anything that depends on the account, which a refusal here must not reveal.
  checkPassword(password, found.email);
  if (link.kind === 'invite' && found.password_hash !== null) throw signInToJoin(found);
  if (found.active === 0) throw linkGone();
  const hash = await hashPassword(deps, password);
  const token = await deps.db.unit(async (tx) => {
    await requireUnusedLink(tx, ctx, link);
    if (!(await replacePassword(tx, found.id, found.password_hash, hash))) throw linkGone();
    // The second factor may have been turned on while the password was hashed.
    const user = await requireUser(tx, found.id);
    await deleteSessions(tx, user.id, null);
    await deleteResetLinks(tx, user.id);
    await audit(tx, ctx, user, 'user.password_changed', { email: user.email, by: link.kind });
    const keepsTotp = link.totp === 0 && user.totp_secret !== null;
    if (!keepsTotp && user.totp_secret !== null) {
      await setTotp(tx, user.id, { totp_secret: null, totp_pending: null, totp_step: null });
      await audit(tx, ctx, user, 'user.totp_disabled', { email: user.email, by: link.kind });
    }
    await join(tx, ctx, link, user);
    return keepsTotp ? null : await startSession(tx, ctx, { ...user, totp_secret: null });
  });
  if (token === null) return { outcome: 'sign_in' };
  ctx.setCookie(token);
  return { outcome: 'signed_in' };
}

async function openLink(
  db: Queryable,
  token: string,
  now: number,
): Promise<{ link: UserLinkTable; user: UserTable }> {
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
  await ctx.deps.db.unit(async (tx) => {
    await requireUnusedLink(tx, ctx, link);
    await join(tx, ctx, link, user);
  });
  return { outcome: 'signed_in' };
}

/** Marks the link as used in the transaction that depends on it, so that it works only once. */
async function requireUnusedLink(tx: Tx, { deps }: BackofficeContext, link: UserLinkTable): Promise<void> {
  if (!(await markLinkUsed(tx, link.token_hash, deps.clock.now()))) throw linkGone();
}

async function join(tx: Tx, ctx: BackofficeContext, link: UserLinkTable, user: UserTable): Promise<void> {
  const { merchant_id, role } = link;
  if (merchant_id === null || role === null) return;
  const now = ctx.deps.clock.now();
  if (!(await insertMember(tx, { user_id: user.id, merchant_id, role, created_at: now }))) return;
  await audit(tx, ctx, user, 'member.joined', { email: user.email, role }, merchant_id);
}

/** Records an action of the link's user, who need not be signed in. */
async function audit(
  tx: Tx,
  { deps, address }: BackofficeContext,
  user: UserTable,
  action: 'user.password_changed' | 'user.totp_disabled' | 'member.joined',
  details: Record<string, unknown>,
  merchantId: UserLinkTable['merchant_id'] = null,
): Promise<void> {
  const actor = { userId: user.id, name: user.email, address };
  await recordAudit(tx, { ...deps, actor }, { action, merchantId, target: user.id, details });
}

function signInToJoin({ email }: UserTable): BackofficeError {
  return new BackofficeError(
    'UNAUTHORIZED',
    `This invitation is for ${email}. Sign in with that e-mail, then open the link again.`,
    { reason: 'link_sign_in', values: { email } },
  );
}

function linkGone(): BackofficeError {
  return new BackofficeError(
    'NOT_FOUND',
    'This link has been used, replaced by a newer one, or is older than 24 hours. Ask for a new link.',
    { reason: 'link_gone' },
  );
}
