import type { Role } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { listInvites } from '../people/link-store.ts';
import { listMembers } from '../people/member-store.ts';

export interface Member {
  userId: Id<'usr'>;
  email: string;
  role: Role;
  totp: boolean;
  createdAt: number;
  signedInAt: number | null;
}

export interface Invite {
  userId: Id<'usr'>;
  email: string;
  role: Role;
  createdAt: number;
  expiresAt: number;
}

/** A merchant's team and its open invitations, by e-mail. Both are bounded by what `invite` allows. */
export async function listTeam(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: Id<'mer'>,
): Promise<{ members: Member[]; invites: Invite[] }> {
  const members = await listMembers(deps.db.read, merchantId);
  const invites = await listInvites(deps.db.read, merchantId, deps.clock.now());
  return {
    members: members.map((member) => ({ ...member, totp: member.totp !== null })),
    invites: invites.map((invite) => ({
      userId: invite.user_id,
      email: invite.email,
      role: invite.role ?? 'viewer',
      createdAt: invite.created_at,
      expiresAt: invite.expires_at,
    })),
  };
}
