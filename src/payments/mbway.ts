import type { PushOutcome } from '../banks/port.ts';
import type { Tx } from '../db/database.ts';
import { ServiceError, unreachable } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import type { Merchant } from '../rpc/context.ts';
import { type AttemptRow, attemptsOf, changeAttempt } from './attempt-store.ts';
import type { MbwayInput, MbwayOutput } from './contract.ts';
import {
  bankRefused,
  bankUnavailable,
  endReason,
  outcomeOf,
  type PlannedAttempt,
  planAttempt,
  type StepDeps,
  shopperText,
  stepTransaction,
} from './steps.ts';
import { isLive } from './transaction.ts';
import { endAttempt, lockAttempt } from './transitions.ts';

const SENT: MbwayOutput = {
  success: true,
  message: 'The MB WAY notification was sent. The customer has 4 minutes to confirm it in the app.',
};

type Plan =
  | { kind: 'create'; planned: PlannedAttempt; orderId: string }
  | { kind: 'open' }
  | { kind: 'wait'; attemptId: Id<'att'> };

/**
 * Sends an MB WAY push, or finds the one already sent to the same number. Errors: TRANSACTION_NOT_FOUND,
 * TRANSACTION_NOT_PENDING, MBWAY_PUSH_OPEN, AMOUNT_ABOVE_METHOD_LIMIT, MBWAY_PHONE_REJECTED, BANK_*.
 */
export async function startMbway(
  deps: StepDeps,
  merchant: Merchant,
  input: MbwayInput,
): Promise<MbwayOutput> {
  for (;;) {
    const plan = await deps.db.unit((tx) => planPush(tx, deps, merchant, input));
    if (plan.kind === 'open') return SENT;
    if (plan.kind === 'create') return push(deps, merchant, plan.planned, plan.orderId);
    const other = await outcomeOf(deps, plan.attemptId);
    if (other.state === 'initiated' || other.state === 'unknown') throw pushOpen();
    if (other.state === 'open' || other.state === 'paid') return SENT;
    // The other call's push ended, so this call starts its own.
  }
}

async function planPush(tx: Tx, deps: StepDeps, merchant: Merchant, input: MbwayInput): Promise<Plan> {
  const transaction = await stepTransaction(tx, merchant.id, input.transactionId);
  const live = (await attemptsOf(tx, transaction.id)).filter(
    (attempt) => attempt.method === 'MBWAY' && isLive(attempt.state),
  );
  const [push] = live;
  if (push !== undefined) {
    if (live.some((attempt) => attempt.state === 'unknown' || attempt.phone_number !== input.phoneNumber)) {
      throw pushOpen();
    }
    return push.state === 'open' ? { kind: 'open' } : { kind: 'wait', attemptId: push.id };
  }
  if (transaction.amount_cents > deps.settings.mbwayMaxCents) {
    throw new ServiceError(
      'AMOUNT_ABOVE_METHOD_LIMIT',
      `MB WAY takes at most ${deps.settings.mbwayMaxCents / 100} EUR. Offer Multibanco for this amount.`,
    );
  }
  const planned = await planAttempt(tx, deps, transaction, 'MBWAY', input.phoneNumber);
  return { kind: 'create', planned, orderId: transaction.order_id };
}

function pushOpen(): ServiceError {
  return new ServiceError(
    'MBWAY_PUSH_OPEN',
    'A push for this transaction is still open, or its outcome is not known yet. Wait until it is settled; it takes a few minutes.',
  );
}

async function push(
  deps: StepDeps,
  merchant: Merchant,
  { attempt, account }: PlannedAttempt,
  orderId: string,
): Promise<MbwayOutput> {
  const outcome = await deps.bank.createPush(account, {
    bankOrderId: attempt.bank_order_id,
    amount: attempt.amount_cents,
    phoneNumber: attempt.phone_number ?? '',
    description: shopperText(merchant.name, orderId),
  });
  await deps.db.unit((tx) => writeOutcome(tx, deps, attempt, outcome));
  deps.wakeBankWorkers();
  return answer(outcome);
}

async function writeOutcome(
  tx: Tx,
  deps: StepDeps,
  { id, transaction_id: transactionId }: AttemptRow,
  outcome: PushOutcome,
): Promise<void> {
  const locked = await lockAttempt(tx, { id, transactionId });
  const { attempt } = locked;
  const now = deps.clock.now();
  const windowEnd = now + deps.settings.mbwayWindowMs;
  switch (outcome.kind) {
    case 'accepted':
      // Recovery may have marked it as unknown because this process was delayed.
      if (attempt.state === 'initiated' || attempt.state === 'unknown') {
        await changeAttempt(tx, id, ['initiated', 'unknown'], {
          state: 'open',
          request_id: outcome.requestId,
          accepted: 1,
          accepted_at: now,
          expires_at: windowEnd,
          check_at: now + deps.settings.inquiryMs,
        });
      } else if (attempt.request_id === null) {
        // The payment was recorded before this answer: only the bank's request id is missing.
        await changeAttempt(tx, id, [attempt.state], { request_id: outcome.requestId, accepted: 1 });
      }
      return;
    case 'unknown':
      await changeAttempt(tx, id, ['initiated'], { state: 'unknown', expires_at: windowEnd, check_at: null });
      return;
    case 'refused':
    case 'unreachable':
      await endAttempt(tx, deps, locked, ['initiated', 'unknown'], 'dead', endReason(outcome));
  }
}

function answer(outcome: PushOutcome): MbwayOutput {
  switch (outcome.kind) {
    case 'accepted':
      return SENT;
    case 'unreachable':
      throw bankUnavailable(outcome.detail);
    case 'refused':
      if (outcome.reason === 'other') throw bankRefused(outcome.detail);
      throw new ServiceError(
        'MBWAY_PHONE_REJECTED',
        'MB WAY does not know this phone number. Ask the customer for the number used in the MB WAY app.',
        { fields: ['phoneNumber'], detail: outcome.detail },
      );
    case 'unknown':
      throw new ServiceError(
        'BANK_OUTCOME_UNKNOWN',
        'The bank did not say whether the push was sent. Do not send another; wait for the webhook or read the status.',
        { detail: outcome.detail },
      );
    default:
      return unreachable(outcome);
  }
}
