import type { UserContext } from '../context.ts';
import { type BackofficeError, refused } from '../errors.ts';
import { auditUser } from './audit-user.ts';
import { deleteUnusedLinks } from './link-store.ts';
import { type AssertionResponse, recordUse, requireAssertion } from './passkey-assertion.ts';
import { passkeyWrong } from './passkey-challenge.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { checkPassword } from './password-rules.ts';
import { requireCode, requireUnused } from './second-factor.ts';
import { deleteSessions, verifySession } from './session-store.ts';
import { replacePassword, requireUser } from './user-store.ts';

/** A password, and the code of the authenticator where the second factor is on. */
interface Credentials {
  password: string;
  code?: string | undefined;
}

/** Confirms the password, and the code where the second factor is on, for procedures that need both to be recent. */
export async function reauthenticate(ctx: UserContext, credentials: Credentials): Promise<void> {
  const { deps, session } = ctx;
  if (ctx.user.passkeys === 'required') throw passkeyMissing();
  const { attempt, user, proof } = await requireCredentials(ctx, credentials);
  await deps.db.unit(async (tx) => {
    if (proof !== null) await requireUnused(tx, ctx, user, proof);
    await verifySession(tx, session.id, deps.clock.now());
  });
  await attempt.succeed();
}

/** Confirms with a passkey of the caller, which counts as password and code. */
export async function reauthenticateWithPasskey(
  ctx: UserContext,
  response: AssertionResponse,
): Promise<void> {
  const { deps, session, user } = ctx;
  const attempt = await ctx.throttle.beginSignedIn(user.id);
  const assertion = await requireAssertion(ctx, { kind: 'confirm', user_id: user.id }, response);
  const isUsed = await deps.db.unit(async (tx) => {
    if (!(await recordUse(tx, ctx, user, assertion))) return false;
    await verifySession(tx, session.id, deps.clock.now(), assertion.passkey.id);
    return true;
  });
  if (!isUsed) throw passkeyWrong();
  await attempt.succeed();
}

/** A password alone does not confirm a user who needs a second factor and has only passkeys. */
function passkeyMissing(): BackofficeError {
  return refused('passkey_missing', 'Your password is not enough here. Confirm with your passkey.');
}

/** Changes the caller's password and ends their other sessions. */
export async function changePassword(
  ctx: UserContext,
  input: { current: string; password: string; code?: string | undefined },
): Promise<void> {
  const { deps, session } = ctx;
  if (ctx.user.factorDue && ctx.user.passkeys === 'required') throw passkeyMissing();
  const credentials = { password: input.current, code: input.code };
  const { attempt, user, proof } = await requireCredentials(ctx, credentials);
  try {
    requireNewPassword(input, user.email);
  } catch (error) {
    await attempt.discount();
    throw error;
  }
  const hash = await hashPassword(deps, input.password);
  await deps.db.unit(async (tx) => {
    if (proof !== null) await requireUnused(tx, ctx, user, proof);
    if (!(await replacePassword(tx, user.id, user.password_hash, hash))) {
      throw refused('password_changed', 'The password was changed elsewhere. Sign in again.');
    }
    await deleteSessions(tx, user.id, { except: session.id });
    await deleteUnusedLinks(tx, user.id, { kind: 'reset' });
    // Here the password alone does not confirm the session.
    if (ctx.user.passkeys !== 'required') await verifySession(tx, session.id, deps.clock.now());
    await auditUser(tx, ctx, user, 'user.password_changed');
  });
  await attempt.succeed();
}

/** Throws unless password and code are right. `proof` is for `requireUnused`; null without a second factor. */
async function requireCredentials(
  { deps, throttle, user: { id } }: UserContext,
  { password, code }: Credentials,
) {
  const attempt = await throttle.beginSignedIn(id);
  const user = await requireUser(deps.db.read, id);
  if (!(await verifyPassword(deps, password, user.password_hash))) {
    throw refused('password_wrong', 'The password is wrong.', { fields: ['password'] });
  }
  if (user.totp_secret === null) return { attempt, user, proof: null };
  if (code !== undefined)
    return { attempt, user, proof: await requireCode(deps, user, user.totp_secret, code) };
  await attempt.discount();
  throw refused('code_missing', 'Enter the code of your authenticator as well.', { fields: ['code'] });
}

function requireNewPassword(input: { current: string; password: string }, email: string): void {
  checkPassword(input.password, email);
  if (input.password.normalize('NFKC') !== input.current.normalize('NFKC')) return;
  throw refused('password_same', 'This is your current password. Choose another.', { fields: ['password'] });
}
