import type { Deps } from '../../deps.ts';
import { isoInstant } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { rotateWebhookSecret } from '../../merchants/rotate-secret.ts';
import { demandMerchant } from '../../merchants/view.ts';
import { BackofficeError } from '../errors.ts';

/** A new webhook secret, in plain. Throws BackofficeError while the overlap of an earlier rotation runs, unless with `now`. */
export async function rotate(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
  options: { now: boolean },
): Promise<{ secret: string }> {
  const { previous_secret_until } = await demandMerchant(deps.db.read, merchantId);
  const until = previous_secret_until === null ? 0 : Number(previous_secret_until);
  if (!options.now && deps.clock.now() < until) {
    throw new BackofficeError(
      'BAD_REQUEST',
      `A rotation runs until ${isoInstant(until)}. Finish it first, or replace both secrets at once.`,
      { reason: 'rotation_running', values: { until } },
    );
  }
  const { webhookSecret } = await rotateWebhookSecret(deps, merchantId, options);
  return { secret: webhookSecret };
}
