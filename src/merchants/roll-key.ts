import { recordAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { newApiKey } from './secrets.ts';
import { endApiKeys, insertApiKey } from './store.ts';
import { lockMerchant } from './view.ts';

const HOUR_MS = 3_600_000;
const GRACE_HOURS_MAX = 8784;

/**
 * Creates a new unnamed API key. The merchant's other unnamed keys expire after `graceHours`; a key that expires earlier keeps
 * its expiry. Throws OperatorError on an invalid value or an unknown id.
 */
export async function rollKey(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
  options: { graceHours: number },
): Promise<{ apiKey: string }> {
  const { graceHours } = options;
  if (!(graceHours >= 0 && graceHours <= GRACE_HOURS_MAX)) {
    throw new OperatorError(`the grace period must be 0 to ${GRACE_HOURS_MAX} hours, not ${graceHours}`);
  }
  const key = newApiKey(deps, merchantId);
  await deps.db.unit(async (tx) => {
    await lockMerchant(tx, merchantId);
    await endApiKeys(tx, merchantId, Math.round(deps.clock.now() + graceHours * HOUR_MS));
    await insertApiKey(tx, key.row);
    await recordAudit(tx, deps, {
      action: 'key.rolled',
      merchantId,
      target: key.row.id,
      details: { graceHours },
    });
  });
  return { apiKey: key.apiKey };
}
