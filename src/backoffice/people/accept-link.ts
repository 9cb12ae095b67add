import { recordAudit } from '../../audit/store.ts';
import type { Tx } from '../../db/database.ts';
import type { UserLinkTable, UserTable } from '../../db/tables/backoffice.ts';
import type { BackofficeContext } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { deleteResetLinks, spendLink } from './link-store.ts';
import { insertMember } from './member-store.ts';
import { hashPassword } from './password.ts';
import { checkPassword } from './password-rules.ts';
import { deleteSessions } from './session-store.ts';
import { linkGone, openLink } from './show-link.ts';
import { startSession } from './start-session.ts';
import { replacePassword, setTotp } from './user-store.ts';

/**
 * Uses a link. Where a password is chosen, the person is signed in with it, unless a second factor is still to be
 * given (`sign_in`). An invitation of somebody who has a password takes a session of theirs: a link alone opens no account that is there.
 */
export async function acceptLink(
  ctx: BackofficeContext,
  input: { token: string; password?: string | undefined },
): Promise<{ outcome: 'signed_in' | 'sign_in' }> {
  const { deps } = ctx;
  const { link, user } = await openLink(deps.db.read, input.token, deps.clock.now());
  if (link.kind === 'invite' && user.password_hash !== null) return await joinAs(ctx, link, user);

  const password = input.password ?? '';
  checkPassword(password, user.email);
  const hash = await hashPassword(deps, password);
  const token = await deps.db.unit(async (tx) => {
    await spend(tx, ctx, link);
    if (!(await replacePassword(tx, user.id, user.password_hash, hash))) throw linkGone();
    await deleteSessions(tx, user.id, null);
    await deleteResetLinks(tx, user.id);
    await audit(tx, ctx, user, 'user.password_changed', { email: user.email, by: link.kind });
    const factor = link.totp === 1 ? null : user.totp_secret;
    if (factor === null && user.totp_secret !== null) {
      await setTotp(tx, user.id, { totp_secret: null, totp_pending: null, totp_step: null });
      await audit(tx, ctx, user, 'user.totp_disabled', { email: user.email, by: link.kind });
    }
    await join(tx, ctx, link, user);
    return factor === null ? await startSession(tx, ctx, user) : null;
  });
  if (token === null) return { outcome: 'sign_in' };
  ctx.setCookie(token);
  return { outcome: 'signed_in' };
}

async function joinAs(
  ctx: BackofficeContext,
  link: UserLinkTable,
  user: UserTable,
): Promise<{ outcome: 'signed_in' }> {
  if (ctx.user?.id !== user.id) {
    throw new BackofficeError(
      'UNAUTHORIZED',
      `This invitation is for ${user.email}. Sign in with that e-mail, then open the link again.`,
      { reason: 'link_sign_in', values: { email: user.email } },
    );
  }
  await ctx.deps.db.unit(async (tx) => {
    await spend(tx, ctx, link);
    await join(tx, ctx, link, user);
  });
  return { outcome: 'signed_in' };
}

/** In the unit of what the link does: of two who open it at once, one is told that it is gone. */
async function spend(tx: Tx, { deps }: BackofficeContext, link: UserLinkTable): Promise<void> {
  if (!(await spendLink(tx, link.token_hash, deps.clock.now()))) throw linkGone();
}

async function join(tx: Tx, ctx: BackofficeContext, link: UserLinkTable, user: UserTable): Promise<void> {
  const { merchant_id, role } = link;
  if (merchant_id === null || role === null) return;
  const now = ctx.deps.clock.now();
  if (!(await insertMember(tx, { user_id: user.id, merchant_id, role, created_at: now }))) return;
  await audit(tx, ctx, user, 'member.joined', { email: user.email, role }, merchant_id);
}

/** Whoever holds a link acts as the user that it is for. */
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
