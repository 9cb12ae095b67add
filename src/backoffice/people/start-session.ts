import { recordAudit } from '../../audit/store.ts';
import type { Tx } from '../../db/database.ts';
import type { UserTable } from '../../db/tables/backoffice.ts';
import type { BackofficeContext } from '../context.ts';
import { clearEndedSessions, deleteSession, insertSession } from './session-store.ts';
import { hashToken, newToken } from './tokens.ts';
import { noteSignIn } from './user-store.ts';

/** However much it is used, a session ends after so long. */
const SESSION_MS = 7 * 24 * 3_600_000;

/** Begins a session of a user who has just proved to be one, in the caller's unit. Resolves to the cookie's token. */
export async function startSession(
  tx: Tx,
  ctx: BackofficeContext,
  user: Pick<UserTable, 'id' | 'email'>,
): Promise<string> {
  const { deps, address, userAgent } = ctx;
  const now = deps.clock.now();
  const token = newToken(deps.random);
  const id = deps.ids('ses');
  // Whoever signs in anew in a browser leaves the session that was open there.
  if (ctx.user !== null && ctx.session !== null) await deleteSession(tx, ctx.user.id, ctx.session.id);
  await clearEndedSessions(tx, now);
  await insertSession(tx, {
    id,
    user_id: user.id,
    token_hash: hashToken(token),
    created_at: now,
    seen_at: now,
    expires_at: now + SESSION_MS,
    verified_at: now,
    address,
    user_agent: userAgent,
  });
  await noteSignIn(tx, user.id, now);
  const actor = { userId: user.id, name: user.email, address };
  await recordAudit(tx, { ...deps, actor }, { action: 'user.signed_in', merchantId: null, target: id });
  return token;
}
