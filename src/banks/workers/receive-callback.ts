import { hash } from 'node:crypto';
import { afterCommit } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Acquirer } from '../../kernel/acquirer.ts';
import { decimalFromCents } from '../../kernel/money.ts';
import { allAccounts } from '../accounts.ts';
import type { CallbackNotification, CallbackRequest } from '../port.ts';
import type { RefundPort } from '../settlement-port.ts';
import { type CallbackRow, insertRefundNotification, upsertCallback } from '../store.ts';

/**
 * Commits an inbound callback of the bank before the 200 response; credits no payment. Returns 403 when no account authenticates
 * it. Throws when the callback could not be written; the bank then repeats it.
 */
export async function receiveCallback(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'bank' | 'log' | 'wakeBankWorkers'> & {
    refunds: Pick<RefundPort, 'applyNotification'>;
  },
  acquirer: Acquirer,
  request: CallbackRequest,
): Promise<200 | 403> {
  const unreadable: unknown[] = [];
  const readable = await allAccounts(deps, (account, error) => {
    if (account.acquirer === acquirer) unreadable.push(error);
  });
  const accounts = readable.filter((account) => account.acquirer === acquirer);
  const verdict = deps.bank.readCallback(acquirer, request, accounts);
  // It may belong to an account whose credentials cannot be read. A refund would count as made elsewhere.
  const isUncertain =
    verdict.kind === 'forged' || (verdict.kind === 'notification' && verdict.notification.kind === 'refund');
  if (isUncertain && unreadable.length > 0) throw unreadable[0];
  if (verdict.kind === 'forged') return 403;
  if (verdict.kind === 'unreadable') {
    deps.log.error({ acquirer, detail: verdict.detail }, 'a genuine bank callback could not be read');
    return 200;
  }
  const { notification } = verdict;
  const now = deps.clock.now();
  const isRefund = notification.kind === 'refund';
  const row: CallbackRow = {
    id: deps.ids('hnt'),
    account_id: notification.accountId,
    identity: identityOf(acquirer, notification),
    bank_order_id: notification.bankOrderId,
    request_id: notification.requestId,
    amount_cents: notification.amount,
    params: JSON.stringify(notification.params),
    received_at: now,
    checks_count: 0,
    check_at: isRefund ? null : now,
  };
  await deps.db.unit(async (tx) => {
    if (!isRefund) {
      await upsertCallback(tx, row);
      afterCommit(tx, deps.wakeBankWorkers);
    } else if (await insertRefundNotification(tx, row)) {
      await deps.refunds.applyNotification(tx, { ...notification, identity: row.identity });
    }
  });
  return 200;
}

/**
 * Returns an identity that is equal for repetitions of one notification. A refund's notification settles money, so its identity
 * must not depend on which accounts share its key.
 */
function identityOf(acquirer: Acquirer, { kind, accountId, amount, params }: CallbackNotification): string {
  // EuPago writes the same amount as a number or as text.
  const named = amount === null ? params : { ...params, amount: decimalFromCents(amount) };
  const sortedParams = Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1));
  const owner = kind === 'refund' ? ['refund', acquirer] : accountId;
  return hash('sha256', JSON.stringify([owner, sortedParams]), 'hex');
}
