import type { CreateFailure, RoutedAccount, RoutedAccounts } from '../banks/port.ts';
import type { Tx } from '../db/database.ts';
import type { DeadReason, PaymentMethod } from '../db/tables/payments.ts';
import type { Deps } from '../deps.ts';
import { ERROR_TEXTS, ServiceError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { randomText } from '../kernel/random.ts';
import { withoutInvisible } from '../kernel/visible.ts';
import type { Merchant } from '../rpc/context.ts';
import { type AttemptKey, type AttemptRow, findAttempt, insertAttempt } from './attempt-store.ts';
import { METHOD_NAMES } from './methods.ts';
import { isOrderSettled } from './session-store.ts';
import { lockTransaction, type TransactionRow } from './store.ts';
import { acceptsSteps } from './transaction.ts';

export type StepDeps = Pick<
  Deps,
  | 'db'
  | 'clock'
  | 'ids'
  | 'random'
  | 'settings'
  | 'bank'
  | 'bankAccounts'
  | 'log'
  | 'wakeDispatcher'
  | 'queueMail'
  | 'wakeBankWorkers'
>;

/** The merchant that a payment is for. */
export type Payee = Pick<Merchant, 'id' | 'name'>;

const BANK_ORDER_ID_LENGTH = 15;
const BANK_ORDER_ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** How long after the bank's timeout a create without an outcome counts as interrupted by a crash. */
const RECOVERY_SLACK_MS = 5000;
const OUTCOME_POLL_MS = 25;

/**
 * Locks the merchant's pending transaction; its session, if any, must be open. Errors: TRANSACTION_NOT_FOUND,
 * TRANSACTION_NOT_PENDING.
 */
export async function stepTransaction(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  merchantId: Id<'mer'>,
  transactionId: string,
): Promise<TransactionRow> {
  const row = await lockTransaction(tx, transactionId, { owner: merchantId });
  if (row === undefined) throw transactionNotFound();
  if (!(await acceptsStep(tx, deps, row))) {
    throw new ServiceError('TRANSACTION_NOT_PENDING', ERROR_TEXTS.TRANSACTION_NOT_PENDING);
  }
  return row;
}

async function acceptsStep(tx: Tx, deps: Pick<Deps, 'clock'>, row: TransactionRow): Promise<boolean> {
  const isOver = row.pending_until !== null && row.pending_until <= deps.clock.now();
  return acceptsSteps(row) && !isOver && !(await isOrderSettled(tx, row));
}

export function transactionNotFound(): ServiceError {
  return new ServiceError('TRANSACTION_NOT_FOUND', ERROR_TEXTS.TRANSACTION_NOT_FOUND);
}

export function bankUnavailable(detail: string): ServiceError {
  return new ServiceError('BANK_UNAVAILABLE', ERROR_TEXTS.BANK_UNAVAILABLE, { detail });
}

export function bankRefused(detail: string): ServiceError {
  return new ServiceError('BANK_REFUSED', ERROR_TEXTS.BANK_REFUSED, { detail });
}

export interface PlannedAttempt extends RoutedAccounts {
  attempt: AttemptRow;
  orderId: string;
}

/** Inserts an attempt. It is committed before the bank is called, so that no crash loses it. */
export async function planAttempt(
  tx: Tx,
  deps: StepDeps,
  transaction: TransactionRow,
  method: PaymentMethod,
  phoneNumber: string | null,
): Promise<PlannedAttempt> {
  const routed = await deps.bankAccounts.routed(tx, transaction.merchant_id, method);
  if (routed === null) throw bankUnavailable('no bank account is set for this merchant, and no default one');
  requireMinimum(transaction, method, routed.account);
  const step = { method, phone_number: phoneNumber };
  const attempt = await insertPlanned(tx, deps, transaction, routed.account, step);
  return { attempt, orderId: transaction.order_id, ...routed };
}

/** Throws AMOUNT_BELOW_METHOD_LIMIT when the amount is below the minimum of the account's acquirer. */
function requireMinimum(
  transaction: TransactionRow,
  method: PaymentMethod,
  { minCents }: RoutedAccount,
): void {
  if (transaction.amount_cents >= minCents) return;
  throw new ServiceError(
    'AMOUNT_BELOW_METHOD_LIMIT',
    ERROR_TEXTS.AMOUNT_BELOW_METHOD_LIMIT(METHOD_NAMES[method], minCents / 100),
  );
}

async function insertPlanned(
  tx: Tx,
  deps: StepDeps,
  transaction: TransactionRow,
  account: RoutedAccount,
  { method, phone_number }: Pick<AttemptRow, 'method' | 'phone_number'>,
): Promise<AttemptRow> {
  const now = deps.clock.now();
  const attempt: AttemptRow = {
    id: deps.ids('att'),
    transaction_id: transaction.id,
    merchant_id: transaction.merchant_id,
    account_id: account.id,
    method,
    state: 'initiated',
    amount_cents: transaction.amount_cents,
    bank_order_id: randomText(deps.random, BANK_ORDER_ID_LENGTH, BANK_ORDER_ID_ALPHABET),
    request_id: null,
    phone_number,
    entity: null,
    reference: null,
    expires_at: null,
    created_at: now,
    accepted: 0,
    check_at: now + recoveryDelayMs(deps),
    silent_count: 0,
    clear_reads: 0,
    clear_read_at: null,
    accepted_at: null,
    ended_at: null,
    end_reason: null,
  };
  await insertAttempt(tx, attempt);
  return attempt;
}

/**
 * Sends the create of a planned attempt, unless this process stalled after planning it: another process may have marked the
 * attempt as unknown and ended it, and the customer may have received another push.
 */
export async function sendCreate<T>(
  deps: StepDeps,
  attempt: AttemptRow,
  send: () => Promise<T>,
): Promise<T | Extract<CreateFailure, { kind: 'unreachable' }>> {
  // The clock may have been set back during the stall.
  if (Math.abs(deps.clock.now() - attempt.created_at) < recoveryDelayMs(deps)) return send();
  return { kind: 'unreachable', detail: 'the service stalled before it called the bank' };
}

/**
 * Plans the same attempt at the fallback acquirer, in the database transaction that marked the first attempt as dead. Null
 * without a fallback that accepts this amount, when the first attempt had ended before, or when the transaction accepts no
 * further steps.
 */
export async function planFallback(
  tx: Tx,
  deps: StepDeps,
  { attempt, orderId, fallback }: PlannedAttempt,
): Promise<PlannedAttempt | null> {
  if (fallback === null || attempt.amount_cents < fallback.minCents) return null;
  const transaction = await lockTransaction(tx, attempt.transaction_id, { owner: attempt.merchant_id });
  if (transaction === undefined || !(await acceptsStep(tx, deps, transaction))) return null;
  const first = await findAttempt(tx, attempt);
  if (first?.state !== 'dead' || first.end_reason === 'interrupted') return null;
  const second = await insertPlanned(tx, deps, transaction, fallback, attempt);
  return { attempt: second, orderId, account: fallback, fallback: null };
}

function recoveryDelayMs(deps: Pick<Deps, 'settings'>): number {
  return deps.settings.bankTimeoutMs + RECOVERY_SLACK_MS;
}

export function endReason(failure: CreateFailure): DeadReason {
  switch (failure.kind) {
    case 'unreachable':
      return 'unreachable';
    case 'unknown':
      return 'no-answer';
    case 'refused':
      return failure.reason === 'phone-unknown' ? 'phone-unknown' : 'refused';
  }
}

const polls = new WeakMap<StepDeps['db'], Map<Id<'att'>, Promise<AttemptRow>>>();

/**
 * Waits until another call, in any process, has written its attempt's outcome; at most the bank's timeout. The calls that wait
 * for an attempt share one poll.
 */
export function outcomeOf(deps: StepDeps, key: AttemptKey): Promise<AttemptRow> {
  const running = polls.get(deps.db) ?? new Map<Id<'att'>, Promise<AttemptRow>>();
  polls.set(deps.db, running);
  const outcome = running.get(key.id) ?? pollOutcome(deps, key).finally(() => running.delete(key.id));
  running.set(key.id, outcome);
  return outcome;
}

async function pollOutcome(deps: StepDeps, key: AttemptKey): Promise<AttemptRow> {
  const startedAt = deps.clock.now();
  for (;;) {
    const attempt = await findAttempt(deps.db.read, key);
    if (attempt === undefined) throw new Error(`attempt ${key.id} does not exist`);
    const now = deps.clock.now();
    // The clock may have been set back during the wait.
    const waitedOut =
      now >= attempt.created_at + recoveryDelayMs(deps) || Math.abs(now - startedAt) >= recoveryDelayMs(deps);
    if (attempt.state !== 'initiated' || waitedOut) return attempt;
    await new Promise<void>((resolve) => deps.clock.after(OUTCOME_POLL_MS, resolve));
  }
}

/**
 * The text that the customer sees: the merchant's name, a space and the order id, without invisible characters and cut to the
 * bank's limit.
 */
export function shopperText(merchantName: string, orderId: string): string {
  const DESCRIPTION_LENGTH_MAX = 50;
  return [...withoutInvisible(`${merchantName} ${orderId}`)].slice(0, DESCRIPTION_LENGTH_MAX).join('');
}
