import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import type { PasskeyChallengeTable, PasskeyTable, UserTable } from '../../db/tables/backoffice.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { BackofficeContext } from '../context.ts';
import { refused } from '../errors.ts';
import { auditUser } from './audit-user.ts';
import { makeChallenge, passkeyWrong, takeChallenge } from './passkey-challenge.ts';
import type { PasskeySite } from './passkey-site.ts';
import { findCredential, listPasskeys, recordPasskeyUse } from './passkey-store.ts';

/** Above the size of an authenticator's data, below the limit of a body. */
const part = z.string().max(6000);
export const credentialId = z.string().min(1).max(1400);

/** The browser's answer to a challenge; the members that are not checked are dropped. */
export const assertionResponse = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: part,
    authenticatorData: part,
    signature: part,
    userHandle: z.string().max(100).exactOptional(),
  }),
});
export type AssertionResponse = z.infer<typeof assertionResponse>;

/** The site of the passkeys. Throws where browsers offer none. */
export function requireSite({ passkeySite }: BackofficeContext): PasskeySite {
  if (passkeySite !== null) return passkeySite;
  throw refused('passkey_unavailable', 'Passkeys need SERVICE_PUBLIC_URL with https and a host name.');
}

/** The user's handle at their authenticators: not their e-mail, which others could read there. */
export function userHandle(id: Id<'usr'>): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(id);
}

/** The options for the browser to ask for a passkey: of this user, or of anyone who has one on the device. */
export async function beginAssertion(
  ctx: BackofficeContext,
  kind: 'sign_in' | 'confirm',
  userId: Id<'usr'> | null,
) {
  const { rpId } = requireSite(ctx);
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const own = userId === null ? [] : await listPasskeys(ctx.deps.db.read, userId);
  // Without extensions, whose types do not pass through JSON.
  const { extensions: _, ...options } = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: await makeChallenge(ctx.deps, { kind, user_id: userId }),
    allowCredentials: own.map(({ credential_id }) => ({ id: credential_id })),
    userVerification: 'required',
  });
  return options;
}

/**
 * Checks that a registered passkey signed an open challenge of this site after verifying its user. Throws otherwise. Resolves to
 * the passkey with its new counter; call `recordUse` with them in the transaction that relies on it.
 */
export async function requireAssertion(
  ctx: BackofficeContext,
  purpose: Pick<PasskeyChallengeTable, 'kind' | 'user_id'>,
  response: AssertionResponse,
) {
  const site = requireSite(ctx);
  const challenge = await takeChallenge(ctx.deps, purpose, response.response.clientDataJSON);
  const passkey = await findCredential(ctx.deps.db.read, response.id);
  if (passkey === null || !isOf(passkey, purpose.user_id, response)) throw passkeyWrong();
  const counter = await verify(site, challenge, passkey, response).catch((error: unknown) => {
    const { id, user_id } = passkey;
    ctx.deps.log.info({ passkeyId: id, userId: user_id, cause: errorText(error) }, 'passkey refused');
    return null;
  });
  if (counter === null) throw passkeyWrong();
  return { passkey, counter };
}

/** Whether the passkey is the wanted user's. At a sign-in the authenticator must name its user itself. */
function isOf(passkey: PasskeyTable, userId: Id<'usr'> | null, { response }: AssertionResponse): boolean {
  const handle = Buffer.from(userHandle(passkey.user_id)).toString('base64url');
  if (response.userHandle === undefined) return passkey.user_id === userId;
  return response.userHandle === handle && (userId === null || passkey.user_id === userId);
}

async function verify(
  site: PasskeySite,
  challenge: string,
  passkey: PasskeyTable,
  response: AssertionResponse,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
      // Below every counter, because `recordUse` compares it in the transaction, after the signature was checked.
      counter: -1,
    },
  });
  return verified ? authenticationInfo.newCounter : null;
}

/**
 * Records the use of the passkey. Resolves to false when it has been removed, or when its counter did not grow, which indicates a
 * copy of the passkey; the audit log records that, so the caller must commit before refusing.
 */
export async function recordUse(
  tx: Tx,
  ctx: BackofficeContext,
  user: Pick<UserTable, 'id' | 'email'>,
  { passkey, counter }: Awaited<ReturnType<typeof requireAssertion>>,
): Promise<boolean> {
  const outcome = await recordPasskeyUse(tx, passkey.id, counter, ctx.deps.clock.now());
  if (outcome !== 'regressed') return outcome === 'used';
  await auditUser(tx, ctx, user, 'user.passkey_refused', { passkey: passkey.name });
  return false;
}
