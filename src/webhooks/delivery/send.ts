import type { Deps } from '../../deps.ts';
import type { Clock } from '../../kernel/clock.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { signHeaders } from '../signature.ts';
import type { Transport } from '../transport/transport.ts';
import type { Claimed } from './claim.ts';
import { type AttemptResult, deliver, failedUnsent } from './deliver.ts';
import { secretsAt } from './secrets.ts';

export interface SendDeps extends Pick<Deps, 'clock'> {
  transport: Transport;
  readSecret: (merchantId: Id<'mer'>, sealed: string) => string;
}

/** Signs a claimed attempt, at this moment, and makes it. Never throws. */
export async function sendClaimed(deps: SendDeps, { delivery, url }: Claimed): Promise<AttemptResult> {
  const merchantId = delivery.merchant_id;
  const now = deps.clock.now();
  let headers: Record<string, string>;
  try {
    headers = signHeaders({
      body: delivery.body,
      kind: delivery.kind,
      eventId: delivery.event_id,
      deliveryId: delivery.id,
      now,
      secrets: secretsAt(delivery, now, (sealed) => deps.readSecret(merchantId, sealed)),
    });
  } catch (error) {
    return failedUnsent(deps.clock.now(), `the webhook secret does not open: ${errorText(error)}`);
  }
  // Connections of its own: a fresh event must not wait for one that a recovery uses.
  const owner = delivery.recovery_id === null ? merchantId : `${merchantId} recovery`;
  return await deliver(deps, { owner, url, headers, body: delivery.body });
}

/** Resolves when all that is being sent has ended, or when `graceMs` are over. */
export async function endedWithin(
  clock: Clock,
  sending: ReadonlySet<Promise<void>>,
  graceMs: number,
): Promise<void> {
  if (sending.size === 0 || graceMs === 0) return;
  let cancel = () => {};
  const over = new Promise<void>((resolve) => {
    cancel = clock.after(graceMs, resolve);
  });
  await Promise.race([Promise.all(sending), over]);
  cancel();
}
