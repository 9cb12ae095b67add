import { emailKey } from '../../kernel/person-keys.ts';
import type { BackofficeContext } from '../context.ts';
import { knownDevice, newDevice } from './device.ts';
import { type AssertionResponse, beginAssertion, recordUse, requireAssertion } from './passkey-assertion.ts';
import { passkeyWrong } from './passkey-challenge.ts';
import { findCredential } from './passkey-store.ts';
import { verifyPassword } from './password.ts';
import { requireCode, requireUnused } from './second-factor.ts';
import { signInWrong, startSession } from './session.ts';
import { findUser, findUserByEmail } from './user-store.ts';

/**
 * Signs in and sets the cookie. Answers `code_needed` when the password is right and the second factor is on. An unknown
 * e-mail takes as long and gets the same answer as a wrong password.
 */
export async function signIn(
  ctx: BackofficeContext,
  input: { email: string; password: string; code?: string | undefined },
): Promise<{ outcome: 'signed_in' | 'code_needed' }> {
  const { deps, address } = ctx;
  const email = emailKey(input.email);
  const user = await findUserByEmail(deps.db.read, email);
  const device = user === null ? null : knownDevice(deps, ctx.device, user.id);
  const attempt = await ctx.throttle.begin(email, address, device);
  const isRight = await verifyPassword(deps, input.password, user?.password_hash ?? null);
  if (user === null || !isRight || user.active === 0) {
    deps.log.info({ address, userId: user?.id }, 'sign-in refused');
    throw signInWrong();
  }
  if (user.totp_secret !== null && input.code === undefined) {
    await attempt.discount();
    return { outcome: 'code_needed' };
  }
  const proof =
    user.totp_secret === null ? null : await requireCode(deps, user, user.totp_secret, input.code ?? '');
  const token = await deps.db.unit(async (tx) => {
    if (proof !== null) await requireUnused(tx, ctx, user, proof);
    return await startSession(tx, ctx, user);
  });
  await attempt.succeed();
  ctx.setCookie(token);
  ctx.setDevice(newDevice(deps, user.id));
  return { outcome: 'signed_in' };
}

export async function beginPasskeySignIn(ctx: BackofficeContext) {
  // The endpoint counts only calls without a session.
  if (ctx.user !== null) await ctx.throttle.admit(ctx.address);
  return await beginAssertion(ctx, 'sign_in', null);
}

/**
 * Signs in with a passkey, which verifies its person and so replaces password and code. With `email` only that person is signed in.
 * Failures count by passkey, not by e-mail: wrong passwords of strangers do not lock a passkey out.
 */
export async function signInWithPasskey(
  ctx: BackofficeContext,
  { response, email }: { response: AssertionResponse; email?: string | undefined },
): Promise<void> {
  const { deps, address } = ctx;
  const known = await findCredential(deps.db.read, response.id);
  const user = known === null ? null : await findUser(deps.db.read, known.user_id);
  const device = user === null ? null : knownDevice(deps, ctx.device, user.id);
  const attempt = await ctx.throttle.begin(`passkey ${response.id}`, address, device);
  const assertion = await requireAssertion(ctx, { kind: 'sign_in', user_id: null }, response);
  if (user === null || user.active === 0 || (email ?? user.email) !== user.email) throw passkeyWrong();
  const token = await deps.db.unit(async (tx) =>
    (await recordUse(tx, ctx, user, assertion)) ? await startSession(tx, ctx, user, assertion.passkey) : null,
  );
  if (token === null) throw passkeyWrong();
  await attempt.succeed();
  ctx.setCookie(token);
  ctx.setDevice(newDevice(deps, user.id));
}
