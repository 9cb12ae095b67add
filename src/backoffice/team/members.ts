import { recordAudit } from '../../audit/store.ts';
import type { Tx } from '../../db/database.ts';
import type { Role } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { lockMerchant, selectMerchant } from '../../merchants/store.ts';
import { type BackofficeError, notFound, refused } from '../errors.ts';
import { deleteUnusedLinks, listInvites } from '../people/link-store.ts';
import { deleteMember, listMembers, updateMember } from '../people/member-store.ts';
import { findUser } from '../people/user-store.ts';

type TeamDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>;

/** The members and open invitations of a merchant, by e-mail. `inviteMember` bounds their number. */
export async function listTeam(deps: Pick<Deps, 'db' | 'clock'>, merchantId: Id<'mer'>) {
  const members = await listMembers(deps.db.read, merchantId);
  const invites = await listInvites(deps.db.read, merchantId, deps.clock.now());
  const merchant = await selectMerchant(deps.db.read, merchantId);
  return {
    requiresFactor: merchant !== null && merchant.team_factor_at !== null,
    members: members.map(({ totp, passkey, ...member }) => ({
      ...member,
      /** Whether they have an authenticator or a passkey. */
      factor: totp !== null || passkey !== null,
    })),
    invites: invites.map((invite) => ({ ...invite, role: invite.role ?? 'viewer' })),
  };
}

/** Changes the role of a member. Throws when the team would have no owner. */
export async function setMemberRole(
  deps: TeamDeps,
  merchantId: Id<'mer'>,
  { userId, role }: { userId: Id<'usr'>; role: Role },
): Promise<void> {
  await deps.db.unit(async (tx) => {
    const { member, isLastOwner } = await lockMember(tx, merchantId, userId);
    if (member === undefined) throw notFound();
    if (member.role === role) return;
    if (isLastOwner) throw lastOwner();
    await updateMember(tx, userId, merchantId, role);
    await recordAudit(tx, deps, {
      action: 'member.changed',
      merchantId,
      target: userId,
      details: { email: member.email, role },
    });
  });
}

/**
 * Removes a member or withdraws an invitation. Throws when the team would have no owner, and with `onlyInvited` when the invited
 * person has joined.
 */
export async function removeMember(
  deps: TeamDeps,
  merchantId: Id<'mer'>,
  userId: Id<'usr'>,
  onlyInvited = false,
): Promise<void> {
  await deps.db.unit(async (tx) => {
    const { member, isLastOwner } = await lockMember(tx, merchantId, userId);
    if (onlyInvited && member !== undefined)
      throw refused('member_already', `${member.email} is already in the team.`);
    if (isLastOwner) throw lastOwner();
    const invites = await deleteUnusedLinks(tx, userId, { merchantId });
    if (member === undefined && invites === 0) throw notFound();
    await deleteMember(tx, userId, merchantId);
    const email = member?.email ?? (await findUser(tx, userId))?.email;
    await recordAudit(tx, deps, {
      action: 'member.removed',
      merchantId,
      target: userId,
      details: { email, invitation: member === undefined },
    });
  });
}

/** A member of the team, locked, and whether they are its only owner. */
async function lockMember(tx: Tx, merchantId: Id<'mer'>, userId: Id<'usr'>) {
  await lockMerchant(tx, merchantId);
  const members = await listMembers(tx, merchantId);
  const owners = members.filter(({ role }) => role === 'owner');
  return {
    member: members.find((member) => member.userId === userId),
    isLastOwner: owners.length === 1 && owners[0]?.userId === userId,
  };
}

function lastOwner(): BackofficeError {
  return refused('last_owner', 'This is the last owner. Make another member an owner first.');
}
