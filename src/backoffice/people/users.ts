import { recordAudit } from '../../audit/store.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { emailKey } from '../../kernel/person-keys.ts';
import type { UserContext } from '../context.ts';
import { notFound, refused } from '../errors.ts';
import { type PageInput, pageOf } from '../rpc.ts';
import { deleteUnusedLinks } from './link-store.ts';
import { listMemberships } from './member-store.ts';
import { deleteSessions } from './session-store.ts';
import { findUser, lockOperators, updateUser, usersLike } from './user-store.ts';

/** A page of the users whose e-mail starts with `input.email`, by e-mail. */
export async function listUsers(deps: Pick<Deps, 'db'>, input: PageInput & { email: string }) {
  const found = await usersLike(deps.db.read, {
    prefix: emailKey(input.email),
    after: input.cursor ?? null,
    limit: input.limit + 1,
  });
  const { page, nextCursor } = pageOf(found, input.limit, (user) => user.email);
  const ids = page.map((user) => user.id);
  const memberships = Map.groupBy(await listMemberships(deps.db.read, ids), ({ userId }) => userId);
  const rows = page.map((user) => ({
    userId: user.id,
    email: user.email,
    operator: user.operator === 1,
    active: user.active === 1,
    /** Whether they have an authenticator or a passkey. */
    factor: user.totp_secret !== null || user.passkey !== null,
    /** Invited, without a password so far. */
    pending: user.password_hash === null,
    createdAt: user.created_at,
    signedInAt: user.signed_in_at,
    memberships: memberships.get(user.id) ?? [],
  }));
  return { rows, nextCursor };
}

/** Enables or disables a user. Disabling ends their sessions and links; it is refused for the caller and the last operator. */
export async function setUserActive(
  { deps, user: caller }: UserContext,
  { userId, active }: { userId: Id<'usr'>; active: boolean },
): Promise<void> {
  if (userId === caller.id) {
    throw refused('not_yourself', 'You cannot disable your own account. Another operator can.');
  }
  await deps.db.unit(async (tx) => {
    const operators = await lockOperators(tx);
    const user = await findUser(tx, userId);
    if (user === null) throw notFound();
    if (!active && operators.every((id) => id === userId)) {
      throw refused('last_operator', 'This is the last active operator.');
    }
    if ((user.active === 1) === active) return;
    await updateUser(tx, userId, { active: active ? 1 : 0 });
    if (!active) {
      await deleteSessions(tx, userId);
      await deleteUnusedLinks(tx, userId);
    }
    await recordAudit(tx, deps, {
      action: 'user.changed',
      merchantId: null,
      target: userId,
      details: { email: user.email, active },
    });
  });
}
