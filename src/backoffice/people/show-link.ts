import type { Queryable } from '../../db/database.ts';
import type { Role, UserLinkTable, UserTable } from '../../db/tables/backoffice.ts';
import type { BackofficeContext } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { findOpenLink } from './link-store.ts';
import { findMerchantName } from './member-store.ts';
import { hashToken } from './tokens.ts';
import { findUser } from './user-store.ts';

export interface ShownLink {
  kind: 'invite' | 'reset';
  email: string;
  /** Where an invitation leads to; null for a reset. */
  merchantName: string | null;
  role: Role | null;
  /** True: the person chooses a password here. False: they have one, and accept once they are signed in as `email`. */
  needsPassword: boolean;
  /** Whether the person is signed in as `email`. */
  signedIn: boolean;
  /** Whether the second factor is removed as well. */
  removesTotp: boolean;
  expiresAt: number;
}

/** What a link is for, before it is used. Throws NOT_FOUND with `link_gone` when it cannot be used. */
export async function showLink(ctx: BackofficeContext, token: string): Promise<ShownLink> {
  const { deps } = ctx;
  const { link, user } = await openLink(deps.db.read, token, deps.clock.now());
  return {
    kind: link.kind,
    email: user.email,
    merchantName: link.merchant_id === null ? null : await findMerchantName(deps.db.read, link.merchant_id),
    role: link.role,
    needsPassword: link.kind === 'reset' || user.password_hash === null,
    signedIn: ctx.user?.id === user.id,
    removesTotp: link.totp === 1 && user.totp_secret !== null,
    expiresAt: link.expires_at,
  };
}

/** A link that can still be used, with its user. */
export async function openLink(
  db: Queryable,
  token: string,
  now: number,
): Promise<{ link: UserLinkTable; user: UserTable }> {
  const link = await findOpenLink(db, hashToken(token), now);
  const user = link === null ? null : await findUser(db, link.user_id);
  if (link === null || user === null || user.active === 0) throw linkGone();
  return { link, user };
}

export function linkGone(): BackofficeError {
  return new BackofficeError(
    'NOT_FOUND',
    'This link was used already, has ended after 24 hours, or a newer one took its place. Ask for a new one.',
    { reason: 'link_gone' },
  );
}
