import { recordAudit } from '../../audit/store.ts';
import type { BackofficeContext, SignedIn } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { deleteResetLinks } from './link-store.ts';
import { hashPassword } from './password.ts';
import { checkPassword } from './password-rules.ts';
import { demandUnused } from './prove.ts';
import { demandProof, demandUser } from './reauthenticate.ts';
import { deleteSessions, verifySession } from './session-store.ts';
import { replacePassword } from './user-store.ts';

/**
 * Changes one's own password, with the code as well where the second factor is on. The other sessions end: whoever knew
 * the old one is out.
 */
export async function changePassword(
  ctx: BackofficeContext & SignedIn,
  input: { current: string; password: string; code?: string | undefined },
): Promise<void> {
  const { deps, session } = ctx;
  const turn = await ctx.throttle.beginSignedIn(ctx.user.id);
  const user = await demandUser(ctx);
  const step = await demandProof(deps, turn, user, { password: input.current, code: input.code });
  try {
    demandOther(input, user.email);
  } catch (error) {
    await turn.pause();
    throw error;
  }
  const hash = await hashPassword(deps, input.password);
  await deps.db.unit(async (tx) => {
    if (step !== null) await demandUnused(tx, user, step);
    if (!(await replacePassword(tx, user.id, user.password_hash, hash))) {
      throw new BackofficeError('BAD_REQUEST', 'The password was changed at the same time. Sign in again.');
    }
    await deleteSessions(tx, user.id, session.id);
    await deleteResetLinks(tx, user.id);
    await verifySession(tx, session.id, deps.clock.now());
    await recordAudit(tx, deps, {
      action: 'user.password_changed',
      merchantId: null,
      target: user.id,
      details: { email: user.email },
    });
  });
  await turn.succeed();
}

function demandOther(input: { current: string; password: string }, email: string): void {
  checkPassword(input.password, email);
  if (input.password.normalize('NFKC') !== input.current.normalize('NFKC')) return;
  throw new BackofficeError('BAD_REQUEST', 'This is the password that you have. Choose another.', {
    reason: 'password_same',
    fields: ['password'],
  });
}
