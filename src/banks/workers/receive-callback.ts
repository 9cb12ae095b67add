import { createHash } from 'node:crypto';
import { afterCommit } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { allAccounts } from '../accounts.ts';
import type { CallbackHint } from '../port.ts';
import { armHint, attemptOfOrder, type HintRow } from '../store.ts';

type CallbackDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'bank' | 'log' | 'wakeBankWorkers'>;

/**
 * An inbound call of the bank. 403 without detail when its key is none of ours; else the hint is on disk before the
 * 200, and nothing is credited here. Throws when the hint could not be written: the bank then calls again.
 */
export async function receiveCallback(deps: CallbackDeps, query: URLSearchParams): Promise<200 | 403> {
  const verdict = deps.bank.verifyCallback(query, await allAccounts(deps));
  if (verdict.kind === 'refused') {
    deps.log.warn('a bank callback with a wrong key was refused');
    return 403;
  }
  const { hint } = verdict;
  await warnOfOtherAmount(deps, hint);
  await deps.db.unit(async (tx) => {
    await armHint(tx, hintRow(deps, hint));
    afterCommit(tx, deps.wakeBankWorkers);
  });
  return 200;
}

function hintRow(deps: Pick<Deps, 'clock' | 'ids'>, hint: CallbackHint): HintRow {
  const now = deps.clock.now();
  const params = Object.entries(hint.params).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    id: deps.ids('hnt'),
    account_id: hint.accountId,
    identity: createHash('sha256')
      .update(JSON.stringify([hint.accountId, params]))
      .digest('hex'),
    bank_order_id: hint.bankOrderId,
    request_id: hint.requestId,
    amount_cents: hint.amount,
    params: JSON.stringify(hint.params),
    received_at: now,
    checks_count: 0,
    check_at: now,
  };
}

/** A sign of tampering or of a fault at the bank; the record decides what was paid, never this number. */
async function warnOfOtherAmount(deps: CallbackDeps, hint: CallbackHint): Promise<void> {
  if (hint.bankOrderId === null || hint.amount === null) return;
  const attempt = await attemptOfOrder(deps.db.read, hint.bankOrderId);
  if (attempt === undefined || attempt.amount_cents === hint.amount) return;
  deps.log.warn(
    { attemptId: attempt.id, askedCents: attempt.amount_cents, calledBackCents: hint.amount },
    'a bank callback names another amount than was asked; the record will decide',
  );
}
