import { recordAudit } from '../../audit/store.ts';
import type { Id } from '../../kernel/ids.ts';
import type { BackofficeContext, SignedIn } from '../context.ts';
import { BackofficeError, notFound } from '../errors.ts';
import { deleteLinks } from './link-store.ts';
import { deleteSessions } from './session-store.ts';
import { findUser, lockOperators, setActive } from './user-store.ts';

/** Lets a user in, or keeps them out: their sessions and links end at once. Nobody keeps themselves out, nor the last operator. */
export async function setUserActive(
  { deps, user: caller }: BackofficeContext & SignedIn,
  { userId, active }: { userId: Id<'usr'>; active: boolean },
): Promise<void> {
  if (userId === caller.id) {
    throw new BackofficeError('BAD_REQUEST', 'You cannot close your own account. Another operator can.', {
      reason: 'not_yourself',
    });
  }
  await deps.db.unit(async (tx) => {
    const operators = await lockOperators(tx);
    const user = await findUser(tx, userId);
    if (user === null) throw notFound();
    if (!active && operators.every((id) => id === userId)) {
      throw new BackofficeError('BAD_REQUEST', 'This is the last operator who may sign in.', {
        reason: 'last_operator',
      });
    }
    await setActive(tx, userId, active ? 1 : 0);
    if (!active) {
      await deleteSessions(tx, userId, null);
      await deleteLinks(tx, userId);
    }
    await recordAudit(tx, deps, {
      action: 'user.changed',
      merchantId: null,
      target: userId,
      details: { email: user.email, active },
    });
  });
}
