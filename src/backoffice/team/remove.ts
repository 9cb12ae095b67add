import { recordAudit } from '../../audit/store.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { notFound } from '../errors.ts';
import { deleteInvite } from '../people/link-store.ts';
import { deleteMember } from '../people/member-store.ts';
import { findUser } from '../people/user-store.ts';
import { demandOtherOwner, findMember } from './set-role.ts';

/** Takes somebody out of a team, or their invitation back; from the next call on they see nothing of it. The last owner stays. */
export async function removeMember(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>,
  merchantId: Id<'mer'>,
  userId: Id<'usr'>,
): Promise<void> {
  await deps.db.unit(async (tx) => {
    const member = await findMember(tx, merchantId, userId);
    if (member?.role === 'owner') await demandOtherOwner(tx, merchantId, userId);
    const invites = await deleteInvite(tx, userId, merchantId);
    if (member === null && invites === 0) throw notFound();
    await deleteMember(tx, userId, merchantId);
    const email = member?.email ?? (await findUser(tx, userId))?.email;
    await recordAudit(tx, deps, {
      action: 'member.removed',
      merchantId,
      target: userId,
      details: { email, invitation: member === null },
    });
  });
}
