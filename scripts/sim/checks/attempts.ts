import type { AttemptState } from '../../../src/db/tables/payments.ts';
import { lisbonText } from '../../../src/kernel/lisbon.ts';
import { alike, wallTime } from '../bank-state.ts';
import type { AttemptView, ReceiptView } from '../snapshot.ts';
import type { World } from '../world.ts';
import { acquirerOf } from './accounts.ts';
import { type ChangeChecks, moves } from './change.ts';

/** Allowed moves without a receipt; with a receipt an attempt becomes `paid` from any state. */
const ATTEMPT_MOVES: Readonly<Record<string, readonly AttemptState[]>> = {
  new: ['initiated'],
  initiated: ['open', 'unknown', 'dead'],
  open: ['rejected', 'declined', 'lapsed', 'expired'],
  unknown: ['open', 'dead', 'lapsed', 'rejected', 'declined'],
};
/** The longest check at the bank: several requests, each as slow as the timeout allows. */
const CHECK_MS_MAX = 100_000;

export const ATTEMPT_CHECKS: ChangeChecks = {
  *'an attempt moves only as its states allow'(change) {
    for (const { id, was, is } of moves(change.before.attempts, change.after.attempts)) {
      const isPaid = [...change.after.receipts.values()].some(
        (row) => row.attempt_id === id || isSettledMoneyOf(row, is, change.world),
      );
      const isAllowed = is.state === 'paid' ? isPaid : ATTEMPT_MOVES[was?.state ?? 'new']?.includes(is.state);
      if (!isAllowed) yield `${id} went from ${was?.state} to ${is.state}`;
    }
  },

  *'an attempt ends only on evidence'(change) {
    for (const { was, is } of moves(change.before.attempts, change.after.attempts)) {
      const missing = was === undefined ? null : whyEnded(was, is, change.world);
      if (missing !== null) yield `attempt ${is.bank_order_id} became ${is.state}: ${missing}`;
    }
  },

  *'a live attempt has its next check'({ after }) {
    for (const { id, state, check_at } of after.attempts.values()) {
      if ((state === 'initiated' || state === 'open') && check_at === null)
        yield `${id} is ${state} and has no next check`;
    }
  },
};

/** Whether an operator settled the push's money before its request id was known. */
function isSettledMoneyOf(row: ReceiptView, push: AttemptView, { bank }: World): boolean {
  const settled = row.settlement !== null || row.transaction_id !== null;
  const money = bank.money.find(({ paidOrderId }) => paidOrderId === push.bank_order_id);
  return row.attempt_id === null && settled && money !== undefined && row.identity === alike(money);
}

/** Returns the evidence that is missing for the end of an attempt, or null. */
function whyEnded(was: AttemptView, is: AttemptView, world: World): string | null {
  // A check during a clock jump is not evidence.
  const jumped = world.time.now - world.jumpedAt < CHECK_MS_MAX;
  switch (is.state) {
    case 'rejected':
    case 'declined':
      return pushOf(is, world)?.state === is.state ? null : 'the bank knows nothing of it';
    case 'lapsed':
      if (was.state === 'open') return whyOpenLapsed(was, world);
      return jumped ? null : whyUnknownLapsed(was, world);
    case 'expired':
      return jumped ? null : whyExpired(was, world);
    case 'dead':
      return whyDead(was, world);
    default:
      return null;
  }
}

function pushOf(attempt: AttemptView, world: World) {
  return world.bank.pushes.find((push) => push.orderId === attempt.bank_order_id);
}

/** An open push lapses after a readable response to an inquiry that was made after its window and grace. */
function whyOpenLapsed(was: AttemptView, world: World): string | null {
  const end = (was.expires_at ?? 0) + world.scenario.settings.mbwayGraceMs;
  return isWaiting(was.request_id, end, world)
    ? null
    : 'no readable answer to a question asked after its window and grace';
}

/** Whether the bank reported after `end` that a push is not paid. */
function isWaiting(id: string | null | undefined, end: number, world: World): boolean {
  return world.bank.inquiries.some(
    ({ requestId, askedByService, answer }) =>
      requestId === id && answer === 'waiting' && askedByService >= end,
  );
}

/**
 * An unknown push lapses after two separate complete reads of the list, started after its window and grace. At EuPago it lapses
 * after two separate responses that the push does not exist, or one that it is not paid.
 */
function whyUnknownLapsed(was: AttemptView, world: World): string | null {
  const { mbwayGraceMs, reconcileMs } = world.scenario.settings;
  const end = (was.expires_at ?? 0) + mbwayGraceMs;
  const isListed = acquirerOf(world.monitor.state, was) !== 'eupago';
  if (!isListed && isWaiting(pushOf(was, world)?.requestId, end, world)) return null;
  const absences = world.bank.absences
    .filter(({ orderId, askedByService }) => orderId === was.bank_order_id && askedByService >= end)
    .map(({ askedByService }) => askedByService);
  const createdAt = wallTime(lisbonText(was.created_at));
  const lists = world.bank.lists
    .filter(({ clear, askedByService }) => clear && askedByService >= end)
    .filter(({ filter: { from = Number.NaN, to = Number.NaN } }) => from <= createdAt && createdAt <= to)
    .map(({ askedByService }) => askedByService);
  const reads = isListed ? lists : absences;
  // The interval is measured between starts; a read of many parts requests the newest days later.
  const apart = reads.some((at) => reads.some((other) => other - at >= reconcileMs / 2));
  return apart
    ? null
    : `${reads.length} complete reads of the list since its window and grace, not two apart`;
}

/** A reference expires after a read of the list past its last day and grace, by order id and, if empty, by request id. */
function whyExpired(was: AttemptView, world: World): string | null {
  const end = (was.expires_at ?? 0) + world.scenario.settings.multibancoGraceMs;
  const clear = world.bank.lists.filter((list) => list.clear && list.askedByService >= end);
  const byOrder = clear.filter(({ filter }) => filter.bankOrderId === was.bank_order_id);
  const read =
    byOrder.some(({ rows }) => rows > 0) ||
    (byOrder.length > 0 && clear.some(({ filter }) => filter.requestId === was.request_id));
  return read ? null : 'no complete read about it after its last day and grace';
}

/** The evidence is a refusal, no connection or no call; for a reference also an unknown outcome, because it was never shown. */
function whyDead(was: AttemptView, world: World): string | null {
  const outcome = world.bank.creates.get(was.bank_order_id);
  const isKnown = outcome === undefined || outcome === 'refused' || outcome === 'unreachable';
  return was.method === 'REFERENCE' || isKnown ? null : `the bank's answer was ${outcome ?? 'none'}`;
}
