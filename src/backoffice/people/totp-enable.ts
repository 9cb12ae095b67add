import { recordAudit } from '../../audit/store.ts';
import type { BackofficeContext, SignedIn } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { demandStep } from './prove.ts';
import { demandUser } from './reauthenticate.ts';
import { deleteSessions } from './session-store.ts';
import { setTotp } from './user-store.ts';

/** Turns the second factor on, once a code shows that the authenticator has the secret. The other sessions end. */
export async function enableTotp(ctx: BackofficeContext & SignedIn, code: string): Promise<void> {
  const { deps, session } = ctx;
  const turn = await ctx.throttle.beginSignedIn(ctx.user.id);
  const user = await demandUser(ctx);
  const pending = user.totp_pending;
  if (pending === null) {
    throw new BackofficeError('BAD_REQUEST', 'There is no secret to confirm. Begin again.', {
      reason: 'totp_off',
    });
  }
  const step = demandStep(deps, user, pending, code);
  await deps.db.unit(async (tx) => {
    await setTotp(tx, user.id, { totp_secret: pending, totp_pending: null, totp_step: step });
    await deleteSessions(tx, user.id, session.id);
    await recordAudit(tx, deps, {
      action: 'user.totp_enabled',
      merchantId: null,
      target: user.id,
      details: { email: user.email },
    });
  });
  // Whoever has just been shown the secret has its codes: that says nothing for the passwords that were tried before.
  await turn.pause();
}
