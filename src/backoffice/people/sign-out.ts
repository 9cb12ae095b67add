import type { BackofficeContext, SignedIn } from '../context.ts';
import { deleteSession } from './session-store.ts';

/** Ends this browser's session. */
export async function signOut({
  deps,
  user,
  session,
  setCookie,
}: BackofficeContext & SignedIn): Promise<void> {
  await deps.db.unit((tx) => deleteSession(tx, user.id, session.id));
  setCookie(null);
}
