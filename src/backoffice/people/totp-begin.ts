import type { BackofficeContext, SignedIn } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { totpPlace } from './prove.ts';
import { newTotpSecret, totpUri } from './totp.ts';
import { setTotp } from './user-store.ts';

/** Makes a secret for an authenticator; it counts once `enableTotp` has seen a code of it. Shown once, here. */
export async function beginTotp({
  deps,
  user,
}: BackofficeContext & SignedIn): Promise<{ secret: string; uri: string }> {
  if (user.totp) {
    throw new BackofficeError('BAD_REQUEST', 'The second factor is on already. Turn it off first.', {
      reason: 'totp_on',
    });
  }
  const secret = newTotpSecret();
  await deps.db.unit((tx) =>
    setTotp(tx, user.id, { totp_pending: deps.box.seal(secret, totpPlace(user.id)) }),
  );
  return { secret, uri: totpUri(secret, user.email) };
}
