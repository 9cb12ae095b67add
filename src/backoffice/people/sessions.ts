import { recordAudit } from '../../audit/store.ts';
import type { Id } from '../../kernel/ids.ts';
import type { BackofficeContext, SignedIn } from '../context.ts';
import { notFound } from '../errors.ts';
import { IDLE_MS } from './find-session.ts';
import { deleteSession, deleteSessions, listOpenSessions } from './session-store.ts';

const LISTED_MAX = 100;

export interface OwnSession {
  id: Id<'ses'>;
  /** Whether it is the one that asks. */
  current: boolean;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
  address: string;
  userAgent: string;
}

/** One's own open sessions, newest first. */
export async function listSessions({
  deps,
  user,
  session,
}: BackofficeContext & SignedIn): Promise<OwnSession[]> {
  const now = deps.clock.now();
  const rows = await listOpenSessions(deps.db.read, user.id, now, now - IDLE_MS, LISTED_MAX);
  return rows.map((row) => ({
    id: row.id,
    current: row.id === session.id,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
    address: row.address,
    userAgent: row.user_agent,
  }));
}

/** Ends one of one's own sessions. Throws NOT_FOUND when it is another's, or over. */
export async function revokeSession(
  { deps, user }: BackofficeContext & SignedIn,
  id: Id<'ses'>,
): Promise<void> {
  await deps.db.unit(async (tx) => {
    if ((await deleteSession(tx, user.id, id)) === 0) throw notFound();
    await recordAudit(tx, deps, { action: 'session.revoked', merchantId: null, target: id });
  });
}

/** Ends all of one's own sessions but this one. Resolves to how many there were. */
export async function revokeOtherSessions({
  deps,
  user,
  session,
}: BackofficeContext & SignedIn): Promise<{ revoked: number }> {
  return await deps.db.unit(async (tx) => {
    const revoked = await deleteSessions(tx, user.id, session.id);
    const details = { others: revoked };
    await recordAudit(tx, deps, { action: 'session.revoked', merchantId: null, target: user.id, details });
    return { revoked };
  });
}
