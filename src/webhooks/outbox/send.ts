import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { type AttemptResult, deliver, failedUnsent } from '../deliver.ts';
import { signHeaders } from '../signature.ts';
import type { Transport } from '../transport.ts';
import type { Claimed } from './claim.ts';

/** Signs a claimed attempt, at this moment, and makes it. Never throws. */
export async function sendClaimed(
  deps: Pick<Deps, 'clock'> & {
    transport: Transport;
    readSecret: (merchantId: Id<'mer'>, sealed: string) => string;
  },
  { delivery, url }: Claimed,
): Promise<AttemptResult> {
  const merchantId = delivery.merchant_id;
  let headers: Record<string, string>;
  try {
    headers = signHeaders({
      body: delivery.body,
      kind: delivery.kind,
      eventId: delivery.event_id,
      deliveryId: delivery.id,
      now: deps.clock.now(),
      secrets: { current: deps.readSecret(merchantId, delivery.webhook_secret) },
    });
  } catch (error) {
    return failedUnsent(deps.clock.now(), `the webhook secret does not open: ${errorText(error)}`);
  }
  return await deliver(deps, { merchantId, url, headers, body: delivery.body });
}
