import type { BackofficeContext } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { normaliseEmail } from './email.ts';
import { verifyPassword } from './password.ts';
import { demandStep, demandUnused } from './prove.ts';
import { startSession } from './start-session.ts';
import { findUserByEmail } from './user-store.ts';

export interface SignIn {
  email: string;
  password: string;
  /** Six digits of the authenticator, once `code_needed` was answered. */
  code?: string | undefined;
}

/**
 * Signs in and sets the cookie; `code_needed` when the password was right and a second factor is to follow. An e-mail that nobody has takes as
 * long as one with a wrong password, and is told in the same words.
 */
export async function signIn(
  ctx: BackofficeContext,
  input: SignIn,
): Promise<{ outcome: 'signed_in' | 'code_needed' }> {
  const { deps, address } = ctx;
  const email = normaliseEmail(input.email);
  const turn = await ctx.throttle.begin(email, address);
  const user = await findUserByEmail(deps.db.read, email);
  const right = await verifyPassword(deps, input.password, user?.password_hash ?? null);
  if (user === null || !right || user.active === 0) {
    deps.log.info({ address, userId: user?.id }, 'sign-in refused');
    throw new BackofficeError('BAD_REQUEST', 'The e-mail or the password is wrong.', {
      reason: 'sign_in_wrong',
    });
  }
  if (user.totp_secret !== null && input.code === undefined) {
    await turn.pause();
    return { outcome: 'code_needed' };
  }
  const step = user.totp_secret === null ? null : demandStep(deps, user, user.totp_secret, input.code ?? '');
  const token = await deps.db.unit(async (tx) => {
    if (step !== null) await demandUnused(tx, user, step);
    return await startSession(tx, ctx, user);
  });
  await turn.succeed();
  ctx.setCookie(token);
  return { outcome: 'signed_in' };
}
