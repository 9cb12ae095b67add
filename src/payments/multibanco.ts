import type { ReferenceOutcome } from '../banks/port.ts';
import type { Tx } from '../db/database.ts';
import { isoInstant } from '../kernel/clock.ts';
import { eurosFromCents } from '../kernel/money.ts';
import { type AttemptRow, attemptsOf, changeAttempt } from './attempt-store.ts';
import type { MultibancoInput, MultibancoOutput } from './contract.ts';
import { mailReference } from './shopper-mails.ts';
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
import { endAttempt, lockAttempt } from './transitions.ts';

type Plan = { kind: 'create'; planned: PlannedAttempt } | { kind: 'live' | 'wait'; attempt: AttemptRow };

/**
 * Creates a Multibanco reference, or returns the live one. `admit` receives the earlier references of the transaction and throws to
 * refuse another. Errors: TRANSACTION_NOT_FOUND, TRANSACTION_NOT_PENDING, BANK_UNAVAILABLE, BANK_REFUSED.
 */
export async function startMultibanco(
  deps: StepDeps,
  merchant: Payee,
  input: MultibancoInput,
  admit: (references: readonly AttemptRow[]) => void = () => {},
): Promise<MultibancoOutput> {
  for (;;) {
    const plan = await deps.db.unit((tx) => planReference(tx, deps, merchant, input, admit));
    if (plan.kind === 'live') return view(plan.attempt);
    if (plan.kind === 'create') return create(deps, merchant, plan.planned);
    const other = await outcomeOf(deps, plan.attempt);
    if (other.state === 'initiated')
      throw bankUnavailable('another call for this transaction got no outcome');
    // The concurrent call has ended: its reference is live or dead.
  }
}

async function planReference(
  tx: Tx,
  deps: StepDeps,
  merchant: Payee,
  input: MultibancoInput,
  admit: (references: readonly AttemptRow[]) => void,
): Promise<Plan> {
  const transaction = await stepTransaction(tx, deps, merchant.id, input.transactionId);
  const now = deps.clock.now();
  const references = (await attemptsOf(tx, transaction)).filter(({ method }) => method === 'REFERENCE');
  // An expired reference is still checked for late payments, but is not shown to customers.
  const live = references.find(({ state, expires_at }) => state === 'open' && (expires_at ?? 0) >= now);
  if (live !== undefined) return { kind: 'live', attempt: live };
  const initiated = references.find(({ state }) => state === 'initiated');
  if (initiated !== undefined) return { kind: 'wait', attempt: initiated };
  admit(references);
  const planned = await planAttempt(tx, deps, transaction, 'REFERENCE', null);
  return { kind: 'create', planned };
}

async function create(deps: StepDeps, merchant: Payee, planned: PlannedAttempt): Promise<MultibancoOutput> {
  const { attempt, account } = planned;
  const order = {
    bankOrderId: attempt.bank_order_id,
    amount: attempt.amount_cents,
    expiryDays: deps.settings.multibancoDays,
    description: shopperText(merchant.name, planned.orderId),
  };
  const outcome = await sendCreate(deps, attempt, () => deps.bank.createReference(account, order));
  const isAnswered = outcome.kind === 'accepted' || outcome.kind === 'refused';
  const { opened, next } = await deps.db.unit(async (tx) => ({
    opened: await writeOutcome(tx, deps, attempt, outcome),
    // A reference that was never shown cannot be paid, so every create without a readable answer is retried at the fallback.
    next: isAnswered ? null : await planFallback(tx, deps, planned),
  }));
  if (next !== null) return create(deps, merchant, next);
  switch (outcome.kind) {
    case 'accepted':
      // Recovery gave up the attempt while this process was delayed: the reference was never shown.
      if (!opened) throw bankUnavailable('the outcome came after the attempt was given up');
      return view({ ...attempt, ...referenceOf(outcome) });
    case 'refused':
      throw bankRefused(outcome.detail);
    case 'unreachable':
    case 'unknown':
      throw bankUnavailable(outcome.detail);
  }
}

async function writeOutcome(
  tx: Tx,
  deps: StepDeps,
  attempt: AttemptRow,
  outcome: ReferenceOutcome,
): Promise<boolean> {
  const locked = await lockAttempt(tx, attempt);
  if (outcome.kind === 'accepted') {
    const opened = await changeAttempt(tx, attempt, ['initiated'], {
      state: 'open',
      request_id: outcome.requestId,
      accepted: 1,
      accepted_at: deps.clock.now(),
      ...referenceOf(outcome),
      check_at: outcome.expiresAt + deps.settings.multibancoGraceMs,
    });
    if (opened) {
      countSent(tx, locked.attempt);
      await mailReference(tx, deps, locked.transaction, outcome.expiresAt);
    }
    return opened;
  }
  await endAttempt(tx, deps, locked, ['initiated'], 'dead', endReason(outcome));
  return false;
}

function referenceOf(outcome: Extract<ReferenceOutcome, { kind: 'accepted' }>) {
  return { entity: outcome.entity, reference: outcome.reference, expires_at: outcome.expiresAt };
}

function view(attempt: AttemptRow): MultibancoOutput {
  const { entity, reference, expires_at: expiresAt } = attempt;
  if (entity === null || reference === null || expiresAt === null) {
    throw new Error(`attempt ${attempt.id} is open without a reference`);
  }
  return {
    entity,
    reference,
    amount: eurosFromCents(attempt.amount_cents),
    expiresAt: isoInstant(expiresAt),
  };
}
