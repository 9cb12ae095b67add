import { recordAudit } from '../../audit/store.ts';
import type { BackofficeContext, SignedIn } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { setTotp } from './user-store.ts';

/** Turns the second factor off; asked for only of whoever has just given both. */
export async function disableTotp({ deps, user }: BackofficeContext & SignedIn): Promise<void> {
  if (!user.totp) {
    throw new BackofficeError('BAD_REQUEST', 'The second factor is off already.', { reason: 'totp_off' });
  }
  await deps.db.unit(async (tx) => {
    await setTotp(tx, user.id, { totp_secret: null, totp_pending: null, totp_step: null });
    await recordAudit(tx, deps, {
      action: 'user.totp_disabled',
      merchantId: null,
      target: user.id,
      details: { email: user.email },
    });
  });
}
