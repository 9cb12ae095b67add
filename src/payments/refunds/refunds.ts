import type { RefundOutcome } from '../../banks/port.ts';
import type { DueRefund, RefundNotification, RefundPort } from '../../banks/settlement-port.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import {
  EVERYTHING,
  isOriginalMade,
  type LockedRefund,
  lockRefund,
  type MoveRefundDeps,
  moveRefund,
} from './move.ts';
import { dueAccepted, requestedRefunds, sentRefunds } from './pending-store.ts';
import { notifiedRefund, type RefundTrigger } from './refund.ts';
import { reportRefund } from './report-refund.ts';
import { isOverRefunded, isReported } from './reported-store.ts';
import { changeRefund, findRefund, insertHistory, isApplied, refundsOfRequest } from './store.ts';

/** How often an accepted refund is checked; the bank takes hours. */
const CHECK_MS = 60_000;

/** Creates the payments side of the refund worker. */
export function createRefunds(deps: MoveRefundDeps & Pick<Deps, 'db'>): RefundPort {
  const { db, clock } = deps;
  const move = (id: Id<'ref'>, trigger: RefundTrigger, changes: Changes = {}) =>
    db.unit(async (tx) => moveRefund(tx, deps, await lockRefund(tx, id, EVERYTHING), trigger, changes));
  return {
    async dueRefunds(now, limit, except = []) {
      const requested = await requestedRefunds(db.read, limit, except);
      const accepted = await dueAccepted(db.read, now, now + CHECK_MS, limit);
      return [...requested, ...accepted].slice(0, limit);
    },
    sentRefunds: (limit) => sentRefunds(db.read, limit),
    claim: (refund, instanceId) =>
      refund.state === 'requested'
        ? db.unit((tx) => claimSend(tx, deps, refund, instanceId))
        : db.unit((tx) => claimCheck(tx, refund, clock.now() + CHECK_MS)),
    async applyOutcome(id, outcome) {
      const [trigger, changes] = consequence(outcome, clock.now() + CHECK_MS);
      const moved = await move(id, trigger, changes);
      if (moved || outcome.kind !== 'accepted') return;
      const { state } = (await findRefund(db.read, id)) ?? {};
      const message = 'the bank accepted a refund that was settled as failed; compare it with the bank';
      if (state === 'failed') deps.log.error({ refundId: id, bankRefundId: outcome.refundId }, message);
    },
    async giveUp(id) {
      await move(id, 'bank_unknown', { detail: 'the service stopped during the call', note: 'interrupted' });
    },
    applyNotification: (tx, notification) => applyNotification(tx, deps, notification),
  };
}

type Changes = NonNullable<Parameters<typeof moveRefund>[4]>;

/**
 * False also when the bank made the refund that this one retries, or when a refund made elsewhere leaves too little of the
 * receipt; the refund is then `failed`.
 */
async function claimSend(
  tx: Tx,
  deps: MoveRefundDeps,
  { id }: DueRefund,
  instanceId: string | null,
): Promise<boolean> {
  const locked = await lockRefund(tx, id, EVERYTHING);
  const detail = await obstacle(tx, locked);
  if (detail === null)
    return moveRefund(tx, deps, locked, 'send', { instance_id: instanceId, sent_at: deps.clock.now() });
  await moveRefund(tx, deps, locked, 'block', { detail });
  return false;
}

/** Why a requested refund must not be sent; null when it may be. */
async function obstacle(tx: Tx, { refund, receipt }: LockedRefund): Promise<string | null> {
  if (await isOriginalMade(tx, refund)) return 'ORIGINAL_DONE';
  return (await isOverRefunded(tx, receipt)) ? 'REFUNDED_ELSEWHERE' : null;
}

async function claimCheck(tx: Tx, { id, check_at }: DueRefund, until: number): Promise<boolean> {
  const { refund } = await lockRefund(tx, id, EVERYTHING);
  if (refund.state !== 'accepted' || refund.check_at !== check_at) return false;
  await changeRefund(tx, refund, { check_at: until });
  return true;
}

/** Returns the trigger and the changes of an outcome. `checkAt` is when an accepted refund is checked. */
function consequence(outcome: RefundOutcome, checkAt: number): [RefundTrigger, Changes] {
  switch (outcome.kind) {
    case 'done':
      return ['bank_done', {}];
    case 'accepted':
      return ['bank_accepted', { bank_refund_id: outcome.refundId, check_at: checkAt }];
    case 'refused': {
      const { reason } = outcome;
      const note =
        reason === 'INSUFFICIENT_FUNDS'
          ? 'the account has too little money that was not transferred yet'
          : null;
      return ['bank_failed', { detail: reason, note }];
    }
    case 'unreachable':
      return ['bank_failed', { detail: 'BANK_UNAVAILABLE', note: outcome.detail }];
    case 'unknown':
      return ['bank_unknown', { detail: outcome.detail }];
  }
}

async function applyNotification(
  tx: Tx,
  deps: MoveRefundDeps & Pick<Deps, 'db'>,
  notification: RefundNotification,
): Promise<void> {
  const { identity, accountIds, requestId, amount } = notification;
  // The refund stores the identity as well, because old notifications are deleted.
  if ((await isApplied(tx, identity)) || (await isReported(tx, identity))) return;
  const candidates = async () =>
    requestId === null || amount === null ? [] : refundsOfRequest(tx, requestId, amount, accountIds);
  const [first] = await candidates();
  // Read again under the lock: the refunds of one payment share its receipt.
  if (first !== undefined) await lockRefund(tx, first.id, EVERYTHING);
  const found = notifiedRefund(first === undefined ? [] : await candidates());
  if (found === null) return reportRefund(tx, deps, notification);
  const locked = await lockRefund(tx, found.id, EVERYTHING);
  const note = 'notified by the bank';
  const moved = await moveRefund(tx, deps, locked, 'bank_done', { notification: identity, note });
  if (moved || found.state !== 'done') return;
  await changeRefund(tx, found, { notification: identity });
  await insertHistory(tx, deps, found, { at: deps.clock.now(), state: 'done', note });
}
