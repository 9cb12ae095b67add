import { Secret, TOTP } from 'otpauth';
import type { Tx } from '../../db/database.ts';
import type { UserTable } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import type { BackofficeContext, UserContext } from '../context.ts';
import { type BackofficeError, refused } from '../errors.ts';
import { auditUser } from './audit-user.ts';
import { makeRecoveryCodes, recoveryHash } from './recovery.ts';
import { requireSession } from './session.ts';
import { deleteSessions } from './session-store.ts';
import {
  deleteRecoveryCode,
  lockUser,
  markTotpStepUsed,
  recoveryHashes,
  replaceRecoveryCodes,
  requireUser,
  updateUser,
} from './user-store.ts';

const PERIOD_SECONDS = 30;
/** Accepts codes of the previous and the next period, because clocks differ. */
const WINDOW_STEPS = 1;
const ISSUER = 'Back office';

function generator(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}

/** A correct code, for `requireUnused`: the 30-second step of an authenticator's code, or the hash of a recovery code. */
export type Proof = { readonly step: number } | { readonly recovery: string };

/**
 * Checks a code of the authenticator or a recovery code; throws when it is wrong now. Call `requireUnused` in the
 * transaction that relies on it.
 */
export async function requireCode(
  deps: Pick<Deps, 'db' | 'box' | 'clock'>,
  user: Pick<UserTable, 'id'>,
  encryptedSecret: string,
  code: string,
): Promise<Proof> {
  const recovery = recoveryHash(user.id, code);
  if (recovery === null) return { step: requireTotp(deps, user, encryptedSecret, code) };
  if ((await recoveryHashes(deps.db.read, user.id)).includes(recovery)) return { recovery };
  throw refused('recovery_wrong', 'This is not one of your unused recovery codes.', { fields: ['code'] });
}

function requireTotp(
  deps: Pick<Deps, 'box' | 'clock'>,
  user: Pick<UserTable, 'id'>,
  encryptedSecret: string,
  code: string,
): number {
  const token = code.replace(/\s/g, '');
  const timestamp = deps.clock.now();
  const secret = deps.box.decrypt(encryptedSecret, `users.totp_secret:${user.id}`);
  const isCode = /^\d{6}$/.test(token);
  const delta = isCode ? generator(secret, '').validate({ token, timestamp, window: WINDOW_STEPS }) : null;
  if (delta !== null) return Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
  throw refused(
    'code_wrong',
    'The code is wrong. Enter the current code of your authenticator and check that the clock of the device is right.',
    { fields: ['code'] },
  );
}

/** Marks the code as used, so that it works only once. Throws when it was used before. */
export async function requireUnused(
  tx: Tx,
  ctx: BackofficeContext,
  user: Pick<UserTable, 'id' | 'email'>,
  proof: Proof,
): Promise<void> {
  const isUnused =
    'step' in proof
      ? await markTotpStepUsed(tx, user.id, proof.step)
      : await deleteRecoveryCode(tx, user.id, proof.recovery);
  if (!isUnused) {
    throw refused('code_used', 'This code has been used. Use another one.', { fields: ['code'] });
  }
  if ('step' in proof) return;
  const left = (await recoveryHashes(tx, user.id)).length;
  await auditUser(tx, ctx, user, 'user.recovery_used', { left });
}

/** Makes a secret for an authenticator and returns it once. It takes effect with `enableTotp`. */
export async function beginTotp({ deps, user }: UserContext): Promise<{ secret: string; uri: string }> {
  if (user.totp) {
    throw refused('totp_on', 'The second factor is already on. Turn it off first.');
  }
  const secret = new Secret({ size: 20 }).base32;
  const encrypted = deps.box.encrypt(secret, `users.totp_secret:${user.id}`);
  await deps.db.unit((tx) => updateUser(tx, user.id, { totp_pending: encrypted }));
  return { secret, uri: generator(secret, user.email).toString() };
}

/** Turns the second factor on after a first code, and ends the caller's other sessions. Resolves to the recovery codes. */
export async function enableTotp(ctx: UserContext, code: string): Promise<{ recoveryCodes: string[] }> {
  const { deps, session } = ctx;
  const attempt = await ctx.throttle.beginSignedIn(ctx.user.id);
  const user = await requireUser(deps.db.read, ctx.user.id);
  const pending = user.totp_pending;
  if (pending === null) throw nothingToConfirm();
  const step = requireTotp(deps, user, pending, code);
  const recoveryCodes = await deps.db.unit(async (tx) => {
    // A concurrent call would replace the recovery codes that this one returns.
    await lockUser(tx, user.id);
    await requireSession(tx, ctx);
    if ((await requireUser(tx, user.id)).totp_pending !== pending) throw nothingToConfirm();
    await updateUser(tx, user.id, { totp_secret: pending, totp_pending: null, totp_step: step });
    await deleteSessions(tx, user.id, { except: session.id });
    await auditUser(tx, ctx, user, 'user.totp_enabled');
    return await makeRecoveryCodes(tx, deps, user.id);
  });
  // The caller was just shown the secret, so a right code does not clear failed passwords.
  await attempt.discount();
  return { recoveryCodes };
}

function nothingToConfirm(): BackofficeError {
  return refused('totp_off', 'There is no authenticator to confirm. Start again.');
}

export async function removeTotp(tx: Tx, id: UserTable['id']): Promise<void> {
  await updateUser(tx, id, { totp_secret: null, totp_pending: null, totp_step: null });
  await replaceRecoveryCodes(tx, id, []);
}

export async function disableTotp(ctx: UserContext): Promise<void> {
  const { deps, user } = ctx;
  await deps.db.unit(async (tx) => {
    await lockUser(tx, user.id);
    if ((await requireUser(tx, user.id)).totp_secret === null)
      throw refused('totp_off', 'The second factor is already off.');
    await removeTotp(tx, user.id);
    await auditUser(tx, ctx, user, 'user.totp_disabled');
  });
}
