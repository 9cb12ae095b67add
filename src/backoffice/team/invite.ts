import { recordAudit } from '../../audit/store.ts';
import type { Tx } from '../../db/database.ts';
import type { Role, UserTable } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { BackofficeError } from '../errors.ts';
import { newUser } from '../people/create-user.ts';
import { typedEmail } from '../people/email.ts';
import { deleteInvite, listInvites } from '../people/link-store.ts';
import { makeLink } from '../people/make-link.ts';
import { listMembers, lockTeam } from '../people/member-store.ts';
import { findUserByEmail, insertUser } from '../people/user-store.ts';

const TEAM_MAX = 100;

/**
 * Invites somebody to a merchant's team: a link to hand over, once, within 24 h; it takes the place of an earlier one. Nobody is a
 * member before it was used. Resolves to the link's path.
 */
export async function inviteMember(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'random' | 'actor'>,
  merchantId: Id<'mer'>,
  input: { email: string; role: Role },
): Promise<{ link: string }> {
  const email = typedEmail(input.email, 'email');
  return await deps.db.unit((tx) => addInvite(tx, deps, merchantId, { email, role: input.role }));
}

/** The invitation itself, in the unit of whoever makes more than that. The e-mail is one that `typedEmail` gave. */
export async function addInvite(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'random' | 'actor'>,
  merchantId: Id<'mer'>,
  { email, role }: { email: string; role: Role },
): Promise<{ link: string }> {
  await lockTeam(tx, merchantId);
  const user = await findOrMake(tx, deps, email);
  await demandRoom(tx, deps, merchantId, user);
  await deleteInvite(tx, user.id, merchantId);
  const link = await makeLink(tx, deps, {
    user_id: user.id,
    kind: 'invite',
    merchant_id: merchantId,
    role,
    totp: 0,
  });
  await recordAudit(tx, deps, {
    action: 'member.invited',
    merchantId,
    target: user.id,
    details: { email, role },
  });
  return { link };
}

async function findOrMake(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>, email: string): Promise<UserTable> {
  const made = newUser(deps, email, { password_hash: null, password_change: 0, operator: 0 });
  if (await insertUser(tx, made)) return made;
  const found = await findUserByEmail(tx, email);
  if (found === null) throw new Error('a user who is there cannot be read');
  return found;
}

async function demandRoom(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  merchantId: Id<'mer'>,
  user: UserTable,
): Promise<void> {
  const members = await listMembers(tx, merchantId);
  if (members.some(({ userId }) => userId === user.id)) {
    throw new BackofficeError('BAD_REQUEST', `${user.email} is in the team already.`, {
      reason: 'member_already',
      fields: ['email'],
    });
  }
  const invites = await listInvites(tx, merchantId, clock.now());
  const others = invites.filter((invite) => invite.user_id !== user.id);
  if (members.length + others.length >= TEAM_MAX) {
    throw new BackofficeError('BAD_REQUEST', `A team has at most ${TEAM_MAX} people and invitations.`);
  }
}
