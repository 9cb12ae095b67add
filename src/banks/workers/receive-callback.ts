import { createHash } from 'node:crypto';
import { afterCommit } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { allAccounts } from '../accounts.ts';
import { upsertCallback } from '../store.ts';

/**
 * Commits an inbound callback of the bank before it is answered with 200; nothing is credited here. 403 when its key
 * belongs to no account. Throws when the callback could not be written: the bank then repeats it.
 */
export async function receiveCallback(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'bank' | 'log' | 'wakeBankWorkers'>,
  query: URLSearchParams,
): Promise<200 | 403> {
  const notification = deps.bank.verifyCallback(query, await allAccounts(deps));
  if (notification === null) {
    deps.log.warn('a bank callback with a wrong key was refused');
    return 403;
  }
  const { accountId, params } = notification;
  const sortedParams = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  const identity = createHash('sha256')
    .update(JSON.stringify([accountId, sortedParams]))
    .digest('hex');
  const now = deps.clock.now();
  await deps.db.unit(async (tx) => {
    await upsertCallback(tx, {
      id: deps.ids('hnt'),
      account_id: accountId,
      identity,
      bank_order_id: notification.bankOrderId,
      request_id: notification.requestId,
      amount_cents: notification.amount,
      params: JSON.stringify(params),
      received_at: now,
      checks_count: 0,
      check_at: now,
    });
    afterCommit(tx, deps.wakeBankWorkers);
  });
  return 200;
}
