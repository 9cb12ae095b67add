import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import type { PasskeyTable } from '../../db/tables/backoffice.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { BackofficeContext, UserContext } from '../context.ts';
import { notFound, refused } from '../errors.ts';
import { auditUser } from './audit-user.ts';
import { credentialId, requireSite, userHandle } from './passkey-assertion.ts';
import { makeChallenge, passkeyWrong, takeChallenge } from './passkey-challenge.ts';
import { deletePasskeys, insertPasskey, listPasskeys } from './passkey-store.ts';
import { requireSession } from './session.ts';
import { deleteSessions, verifySession } from './session-store.ts';
import { lockUser } from './user-store.ts';

const PASSKEYS_MAX = 10;
const RP_NAME = 'Back office';

/** The browser's answer to `beginPasskey`; the members that are not checked are dropped. */
export const registrationResponse = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: z.string().max(6000),
    attestationObject: z.string().max(20_000),
  }),
});

/** The caller's passkeys, oldest first. */
export async function ownPasskeys({ deps, user }: UserContext) {
  const rows = await listPasskeys(deps.db.read, user.id);
  return {
    max: PASSKEYS_MAX,
    rows: rows.map(({ id, name, created_at, used_at }) => ({
      id,
      name,
      createdAt: created_at,
      usedAt: used_at,
    })),
  };
}

export async function beginPasskey(ctx: UserContext) {
  const { deps, user } = ctx;
  const { rpId } = requireSite(ctx);
  const own = await listPasskeys(deps.db.read, user.id);
  requireSpace(own);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  // Without extensions, whose types do not pass through JSON.
  const { extensions: _, ...options } = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: rpId,
    userName: user.email,
    userID: userHandle(user.id),
    challenge: await makeChallenge(deps, { kind: 'add', user_id: user.id }),
    attestationType: 'none',
    excludeCredentials: own.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return options;
}

/** Adds a passkey to the caller's account. It also confirms the session, because its user was just verified. */
export async function addPasskey(
  ctx: UserContext,
  { name, response }: { name: string; response: z.infer<typeof registrationResponse> },
): Promise<void> {
  const { deps, user, session } = ctx;
  const attempt = await ctx.throttle.beginSignedIn(user.id);
  const credential = await requireRegistration(ctx, response);
  const now = deps.clock.now();
  const passkey: PasskeyTable = {
    id: deps.ids('pky'),
    user_id: user.id,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    name,
    created_at: now,
    used_at: null,
  };
  await deps.db.unit(async (tx) => {
    await lockUser(tx, user.id);
    await requireSession(tx, ctx);
    requireSpace(await listPasskeys(tx, user.id));
    if (!(await insertPasskey(tx, passkey))) {
      throw refused('passkey_known', 'This passkey is registered already.');
    }
    await verifySession(tx, session.id, now, passkey.id);
    await auditUser(tx, ctx, user, 'user.passkey_added', { passkey: name });
  });
  // The caller has just created the passkey, so it does not clear failed passwords.
  await attempt.discount();
}

async function requireRegistration(ctx: UserContext, response: z.infer<typeof registrationResponse>) {
  const { deps, user } = ctx;
  const site = requireSite(ctx);
  const purpose = { kind: 'add', user_id: user.id } as const;
  const challenge = await takeChallenge(deps, purpose, response.response.clientDataJSON);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    deps.log.info({ userId: user.id, cause: errorText(error) }, 'passkey refused');
    throw passkeyWrong();
  });
  if (registrationInfo === undefined) throw passkeyWrong();
  return registrationInfo.credential;
}

function requireSpace(own: readonly PasskeyTable[]): void {
  if (own.length < PASSKEYS_MAX) return;
  throw refused('passkeys_full', `You have ${PASSKEYS_MAX} passkeys. Remove one first.`, {
    values: { max: PASSKEYS_MAX },
  });
}

/** Removes a passkey of the caller and ends the other sessions that it started. Throws NOT_FOUND when it is not theirs. */
export async function removePasskey(ctx: UserContext, id: Id<'pky'>): Promise<void> {
  const { deps, user, session } = ctx;
  await deps.db.unit(async (tx) => {
    const [name] = await deletePasskeys(tx, user.id, id);
    if (name === undefined) throw notFound();
    await deleteSessions(tx, user.id, { passkeyId: id, except: session.id });
    await auditUser(tx, ctx, user, 'user.passkey_removed', { passkey: name });
  });
}

/** Removes all passkeys of a user whose access is reset. The caller ends their sessions. */
export async function removeAllPasskeys(
  tx: Tx,
  ctx: BackofficeContext,
  user: { id: Id<'usr'>; email: string },
): Promise<void> {
  const removed = await deletePasskeys(tx, user.id);
  if (removed.length > 0) await auditUser(tx, ctx, user, 'user.passkey_removed', { by: 'reset' });
}
