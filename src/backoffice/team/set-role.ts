import { recordAudit } from '../../audit/store.ts';
import type { Tx } from '../../db/database.ts';
import type { Role } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { BackofficeError, notFound } from '../errors.ts';
import { listMembers, lockTeam, updateMember } from '../people/member-store.ts';
import type { Member } from './list.ts';

/** Changes what a member may do, from their next call on. The last owner stays one. */
export async function setMemberRole(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>,
  merchantId: Id<'mer'>,
  { userId, role }: { userId: Id<'usr'>; role: Role },
): Promise<void> {
  await deps.db.unit(async (tx) => {
    const member = await findMember(tx, merchantId, userId);
    if (member === null) throw notFound();
    if (role !== 'owner') await demandOtherOwner(tx, merchantId, userId);
    await updateMember(tx, userId, merchantId, role);
    await recordAudit(tx, deps, {
      action: 'member.changed',
      merchantId,
      target: userId,
      details: { email: member.email, role },
    });
  });
}

/** A member, or null, once nobody else is changing the team. */
export async function findMember(
  tx: Tx,
  merchantId: Id<'mer'>,
  userId: Id<'usr'>,
): Promise<Pick<Member, 'userId' | 'email' | 'role'> | null> {
  await lockTeam(tx, merchantId);
  const members = await listMembers(tx, merchantId);
  return members.find((member) => member.userId === userId) ?? null;
}

/** Throws when a team would be left without an owner. */
export async function demandOtherOwner(tx: Tx, merchantId: Id<'mer'>, userId: Id<'usr'>): Promise<void> {
  const members = await listMembers(tx, merchantId);
  if (members.some((member) => member.role === 'owner' && member.userId !== userId)) return;
  throw new BackofficeError(
    'BAD_REQUEST',
    'This is the last owner. Make somebody else an owner first, so that the shop is not left without one.',
    { reason: 'last_owner' },
  );
}
