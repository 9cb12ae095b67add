import { recordAudit } from '../../audit/store.ts';
import type { Deps } from '../../deps.ts';
import { Missing, Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { emailKey } from '../../kernel/person-keys.ts';
import { deleteUnusedLinks } from './link-store.ts';
import { makeLink } from './links.ts';
import { findUser, findUserByEmail, lockUser } from './user-store.ts';

type ResetDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'random' | 'actor' | 'queueMail'>;

/**
 * Makes a one-time link for a new password, valid for 24 hours; with `totp` it also removes the second factor. The old
 * password works until the link is used; earlier links end. Throws OperatorError on an unknown user.
 */
export async function resetUser(
  deps: ResetDeps,
  who: { email: string } | { userId: Id<'usr'> },
  options: { totp: boolean },
): Promise<{ link: string }> {
  return await deps.db.unit(async (tx) => {
    const user =
      'email' in who ? await findUserByEmail(tx, emailKey(who.email)) : await findUser(tx, who.userId);
    if (user === null) throw new Missing('user', 'email' in who ? JSON.stringify(who.email) : who.userId);
    if (user.active === 0) {
      throw new Refusal('user_disabled', `the user ${user.email} is disabled; enable them first`);
    }
    await lockUser(tx, user.id);
    await deleteUnusedLinks(tx, user.id, { kind: 'reset' });
    await recordAudit(tx, deps, {
      action: 'user.reset',
      merchantId: null,
      target: user.id,
      details: { email: user.email, totp: options.totp },
    });
    const link = { user_id: user.id, kind: 'reset', totp: options.totp ? 1 : 0 } as const;
    return { link: await makeLink(tx, deps, link, 'password-reset') };
  });
}
