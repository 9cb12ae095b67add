import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Session, User } from '../context.ts';
import { findOpenSession, touchSession } from './session-store.ts';
import { hashToken } from './tokens.ts';

/** A session that nobody used for so long is over. */
export const IDLE_MS = 12 * 3_600_000;
/** How often the use of one session is written down at most. */
const SEEN_EVERY_MS = 60_000;

/** The session that a cookie's token opens, with its user; null when it has ended, or its user may no longer come in. */
export async function findSession(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  token: string,
): Promise<{ user: User; session: Session } | null> {
  const now = deps.clock.now();
  const row = await findOpenSession(deps.db.read, hashToken(token), now, now - IDLE_MS);
  if (row === null) return null;
  if (now - row.seenAt >= SEEN_EVERY_MS) noteUse(deps, row.id, now);
  return {
    user: {
      id: row.userId,
      email: row.email,
      operator: row.operator === 1,
      passwordChange: row.passwordChange === 1,
      totp: row.totpSecret !== null,
    },
    session: { id: row.id, createdAt: row.createdAt, expiresAt: row.expiresAt, verifiedAt: row.verifiedAt },
  };
}

/** Nobody waits for it: a page is not slower for the sake of a date in a list. */
function noteUse(deps: Pick<Deps, 'db' | 'log'>, id: Session['id'], now: number): void {
  deps.db
    .unit((tx) => touchSession(tx, id, now))
    .catch((error: unknown) =>
      deps.log.warn({ sessionId: id, cause: errorText(error) }, 'use of a session not noted'),
    );
}
