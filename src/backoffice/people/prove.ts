import type { Tx } from '../../db/database.ts';
import type { UserTable } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import { BackofficeError } from '../errors.ts';
import { stepOfCode } from './totp.ts';
import { spendTotpStep } from './user-store.ts';

/** What the secret of a second factor is sealed for. */
export function totpPlace(id: UserTable['id']): string {
  return `users.totp_secret:${id}`;
}

/**
 * The step of a code that an authenticator shows now. Throws when it is the code of no step around now; whether that step was used
 * before is `demandUnused`'s affair, in a unit.
 */
export function demandStep(
  deps: Pick<Deps, 'box' | 'clock'>,
  user: Pick<UserTable, 'id'>,
  sealed: string,
  code: string,
): number {
  const step = stepOfCode(deps.box.open(sealed, totpPlace(user.id)), code, deps.clock.now());
  if (step !== null) return step;
  throw new BackofficeError(
    'BAD_REQUEST',
    'The code is wrong. Take the one that the authenticator shows now, and see that its clock is right.',
    { reason: 'code_wrong', fields: ['code'] },
  );
}

/** Uses the step up: a code that somebody looked at over a shoulder opens nothing again. */
export async function demandUnused(tx: Tx, user: Pick<UserTable, 'id'>, step: number): Promise<void> {
  if (await spendTotpStep(tx, user.id, step)) return;
  throw new BackofficeError(
    'BAD_REQUEST',
    'This code was used already. Wait until the authenticator shows the next one.',
    { reason: 'code_used', fields: ['code'] },
  );
}

export function wrongPassword(): BackofficeError {
  return new BackofficeError('BAD_REQUEST', 'The password is wrong.', {
    reason: 'password_wrong',
    fields: ['password'],
  });
}
