import type { UserTable } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import type { BackofficeContext, SignedIn } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { verifyPassword } from './password.ts';
import { demandStep, demandUnused, wrongPassword } from './prove.ts';
import { verifySession } from './session-store.ts';
import type { Try } from './throttle.ts';
import { findUser } from './user-store.ts';

export interface Proof {
  password: string;
  /** Needed when the second factor is on. */
  code?: string | undefined;
}

/** Has the person at this browser give the password again: for 10 minutes what asks for that is open. */
export async function reauthenticate(ctx: BackofficeContext & SignedIn, proof: Proof): Promise<void> {
  const { deps, session } = ctx;
  const turn = await ctx.throttle.beginSignedIn(ctx.user.id);
  const user = await demandUser(ctx);
  const step = await demandProof(deps, turn, user, proof);
  await deps.db.unit(async (tx) => {
    if (step !== null) await demandUnused(tx, user, step);
    await verifySession(tx, session.id, deps.clock.now());
  });
  await turn.succeed();
}

/**
 * Throws unless the password is right, and the code where the second factor is on. Resolves to the code's step, to be
 * used up by `demandUnused` in the unit of what it opens; null without a second factor.
 */
export async function demandProof(
  deps: Deps,
  turn: Try,
  user: UserTable,
  { password, code }: Proof,
): Promise<number | null> {
  if (!(await verifyPassword(deps, password, user.password_hash))) throw wrongPassword();
  if (user.totp_secret === null) return null;
  if (code !== undefined) return demandStep(deps, user, user.totp_secret, code);
  await turn.pause();
  throw new BackofficeError('BAD_REQUEST', 'Give the code of your authenticator as well.', {
    reason: 'code_missing',
    fields: ['code'],
  });
}

/** The caller's row. */
export async function demandUser({ deps, user }: BackofficeContext & SignedIn): Promise<UserTable> {
  const row = await findUser(deps.db.read, user.id);
  if (row === null) throw new Error(`user ${user.id} is gone`);
  return row;
}
