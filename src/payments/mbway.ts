import type { PushOutcome } from '../banks/port.ts';
import type { Tx } from '../db/database.ts';
import { ERROR_TEXTS, ServiceError } from '../kernel/errors.ts';
import { type AttemptRow, attemptsOf, changeAttempt } from './attempt-store.ts';
import type { MbwayInput, MbwayOutput } from './contract.ts';
import { requireWithinMbwayLimit } from './methods.ts';
import {
  bankRefused,
  bankUnavailable,
  endReason,
  outcomeOf,
  type Payee,
  type PlannedAttempt,
  planAttempt,
  planFallback,
  type StepDeps,
  sendCreate,
  shopperText,
  stepTransaction,
} from './steps.ts';
import { countSent } from './totals.ts';
import { isLive } from './transaction.ts';
import { endAttempt, lockAttempt } from './transitions.ts';

const SENT: MbwayOutput = {
  success: true,
  message: 'The MB WAY notification was sent. The customer has 4 minutes to confirm it in the app.',
};

type Plan = { kind: 'create'; planned: PlannedAttempt } | { kind: 'wait'; attempt: AttemptRow };

/** Runs in the unit of work that plans a push, before the bank is called; when it throws, no push is sent. */
type OnPlanned = (tx: Tx, attempt: AttemptRow) => Promise<void>;

/**
 * Sends an MB WAY push, or finds the one already sent to the same number. Errors: TRANSACTION_NOT_FOUND,
 * TRANSACTION_NOT_PENDING, MBWAY_PUSH_OPEN, AMOUNT_ABOVE_METHOD_LIMIT, MBWAY_PHONE_REJECTED, BANK_*.
 */
export async function startMbway(
  deps: StepDeps,
  merchant: Payee,
  input: MbwayInput,
  onPlanned: OnPlanned = async () => {},
): Promise<MbwayOutput> {
  for (;;) {
    const plan = await deps.db.unit(async (tx) => {
      const made = await planPush(tx, deps, merchant, input);
      if (made.kind === 'create') await onPlanned(tx, made.planned.attempt);
      return made;
    });
    if (plan.kind === 'create') return push(deps, merchant, plan.planned);
    const other = await outcomeOf(deps, plan.attempt);
    if (other.state === 'initiated' || other.state === 'unknown') throw pushOpen();
    if (other.state === 'open' || other.state === 'paid') return SENT;
    // The concurrent call's push ended, so this call sends a new one.
  }
}

async function planPush(tx: Tx, deps: StepDeps, merchant: Payee, input: MbwayInput): Promise<Plan> {
  const transaction = await stepTransaction(tx, deps, merchant.id, input.transactionId);
  const live = (await attemptsOf(tx, transaction)).filter(
    (attempt) => attempt.method === 'MBWAY' && isLive(attempt.state),
  );
  const [push] = live;
  if (push !== undefined) {
    if (live.some((attempt) => attempt.state === 'unknown' || attempt.phone_number !== input.phoneNumber)) {
      throw pushOpen();
    }
    return { kind: 'wait', attempt: push };
  }
  requireWithinMbwayLimit(deps, transaction.amount_cents);
  const planned = await planAttempt(tx, deps, transaction, 'MBWAY', input.phoneNumber);
  return { kind: 'create', planned };
}

function pushOpen(): ServiceError {
  return new ServiceError('MBWAY_PUSH_OPEN', ERROR_TEXTS.MBWAY_PUSH_OPEN);
}

async function push(deps: StepDeps, merchant: Payee, planned: PlannedAttempt): Promise<MbwayOutput> {
  const { attempt, account } = planned;
  const order = {
    bankOrderId: attempt.bank_order_id,
    amount: attempt.amount_cents,
    phoneNumber: attempt.phone_number ?? '',
    description: shopperText(merchant.name, planned.orderId),
  };
  const outcome = await sendCreate(deps, attempt, () => deps.bank.createPush(account, order));
  const next = await deps.db.unit(async (tx) => {
    await writeOutcome(tx, deps, attempt, outcome);
    // Only a failed connection proves that the bank received no push.
    return outcome.kind === 'unreachable' ? planFallback(tx, deps, planned) : null;
  });
  deps.wakeBankWorkers();
  return next === null ? answer(outcome) : push(deps, merchant, next);
}

async function writeOutcome(
  tx: Tx,
  deps: StepDeps,
  planned: AttemptRow,
  outcome: PushOutcome,
): Promise<void> {
  const locked = await lockAttempt(tx, planned);
  const { attempt } = locked;
  const now = deps.clock.now();
  const windowEnd = now + deps.settings.mbwayWindowMs;
  switch (outcome.kind) {
    case 'accepted':
      // Recovery may have marked it as unknown because this process was delayed.
      if (attempt.state === 'initiated' || attempt.state === 'unknown') {
        countSent(tx, attempt);
        await changeAttempt(tx, attempt, ['initiated', 'unknown'], {
          state: 'open',
          request_id: outcome.requestId,
          accepted: 1,
          accepted_at: now,
          expires_at: windowEnd,
          check_at: Math.min(now + deps.settings.inquiryMs, windowEnd + deps.settings.mbwayGraceMs),
        });
      } else if (attempt.request_id === null) {
        // The payment was recorded before this answer: only the bank's request id is missing.
        countSent(tx, attempt);
        await changeAttempt(tx, attempt, [attempt.state], { request_id: outcome.requestId, accepted: 1 });
      }
      return;
    case 'unknown':
      await changeAttempt(tx, attempt, ['initiated'], {
        state: 'unknown',
        expires_at: windowEnd,
        check_at: null,
      });
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
      throw new ServiceError('MBWAY_PHONE_REJECTED', ERROR_TEXTS.MBWAY_PHONE_REJECTED, {
        fields: ['phoneNumber'],
        detail: outcome.detail,
      });
    case 'unknown':
      throw new ServiceError('BANK_OUTCOME_UNKNOWN', ERROR_TEXTS.BANK_OUTCOME_UNKNOWN, {
        detail: outcome.detail,
      });
  }
}
