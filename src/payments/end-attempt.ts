import type { Tx } from '../db/database.ts';
import type { AttemptState, DeadReason } from '../db/tables/tables.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { type MoveDeps, moveTransaction } from './announce.ts';
import { attemptsOf, changeAttempt } from './attempt-store.ts';
import { changeTransaction, lockTransaction } from './store.ts';
import { type AttemptEnding, afterEnding, isLive } from './transaction.ts';
import { shownAttempt } from './view.ts';

export type EndDeps = MoveDeps & Pick<Deps, 'settings'>;

/**
 * Ends an attempt without money, and with it the transaction when it was the last live one. Does nothing when the
 * attempt is in none of the states `from` any more: its money may have come in between. `reason` says why it is dead.
 */
export async function endAttempt(
  tx: Tx,
  deps: EndDeps,
  attempt: { id: Id<'att'>; transaction_id: Id<'tx'> },
  from: readonly AttemptState[],
  ending: AttemptEnding,
  reason: DeadReason | null = null,
): Promise<void> {
  const transaction = await lockTransaction(tx, attempt.transaction_id);
  if (transaction === undefined) throw new Error(`attempt ${attempt.id} has no transaction`);
  const ended = await changeAttempt(tx, attempt.id, from, {
    state: ending,
    check_at: null,
    ended_at: deps.clock.now(),
    end_reason: reason,
  });
  if (!ended) return;
  const attempts = await attemptsOf(tx, transaction.id);
  const othersLive = attempts.some((other) => isLive(other.state));
  const next = afterEnding(
    { status: transaction.status, held: transaction.held === 1, amount: transaction.amount_cents },
    ending,
    othersLive,
  );
  if (next !== null) {
    const shown = shownAttempt({ ...transaction, status: next }, attempts);
    await moveTransaction(tx, deps, transaction, next, shown?.method ?? null);
  } else if (transaction.status === 'pending' && transaction.held === 0 && !othersLive) {
    await changeTransaction(tx, transaction, {
      deadline_at: transaction.created_at + deps.settings.pendingMs,
    });
  }
}
