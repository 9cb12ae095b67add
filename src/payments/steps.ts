import type { BankAccount, CreateFailure } from '../banks/port.ts';
import type { Tx } from '../db/database.ts';
import type { DeadReason, PaymentMethod } from '../db/tables/payments.ts';
import type { Deps } from '../deps.ts';
import { ERROR_TEXTS, ServiceError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { randomText } from '../kernel/random.ts';
import { type AttemptRow, findAttempt, insertAttempt } from './attempt-store.ts';
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
  | 'wakeBankWorkers'
>;

const BANK_ORDER_ID_LENGTH = 15;
const BANK_ORDER_ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** How long after the bank's time-out a create without an outcome counts as interrupted by a crash. */
const RECOVERY_SLACK_MS = 5000;
const OUTCOME_POLL_MS = 25;

/** Locks the merchant's own pending transaction. Errors: TRANSACTION_NOT_FOUND, TRANSACTION_NOT_PENDING. */
export async function stepTransaction(
  tx: Tx,
  merchantId: Id<'mer'>,
  transactionId: string,
): Promise<TransactionRow> {
  const row = await lockTransaction(tx, transactionId, { owner: merchantId });
  if (row === undefined) throw transactionNotFound();
  if (!acceptsSteps({ status: row.status, held: row.held === 1, amount: row.amount_cents })) {
    throw new ServiceError('TRANSACTION_NOT_PENDING', ERROR_TEXTS.TRANSACTION_NOT_PENDING);
  }
  return row;
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

export interface PlannedAttempt {
  attempt: AttemptRow;
  account: BankAccount;
}

/** Inserts an attempt. It is committed before the bank is called, so that no crash loses it. */
export async function planAttempt(
  tx: Tx,
  deps: StepDeps,
  transaction: TransactionRow,
  method: PaymentMethod,
  phoneNumber: string | null,
): Promise<PlannedAttempt> {
  const account = await deps.bankAccounts.current(tx, transaction.merchant_id);
  if (account === null) throw bankUnavailable('no bank account is set for this merchant, and no default one');
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
    phone_number: phoneNumber,
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
  return { attempt, account };
}

function recoveryDelayMs(deps: Pick<Deps, 'settings'>): number {
  return deps.settings.bankTimeoutMs + RECOVERY_SLACK_MS;
}

/** The stored reason of a failed create. */
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

/** Waits until another call, in any process, has written its attempt's outcome; at most the bank's time-out. */
export async function outcomeOf(deps: StepDeps, id: Id<'att'>): Promise<AttemptRow> {
  for (;;) {
    const attempt = await findAttempt(deps.db.read, id);
    if (attempt === undefined) throw new Error(`attempt ${id} does not exist`);
    const waitedOut = deps.clock.now() >= attempt.created_at + recoveryDelayMs(deps);
    if (attempt.state !== 'initiated' || waitedOut) return attempt;
    await new Promise<void>((resolve) => deps.clock.after(OUTCOME_POLL_MS, resolve));
  }
}

/** Bidirectional controls and zero-width characters, with which a text can look like another one. */
const INVISIBLE = /[\p{Bidi_Control}\u200b-\u200d\u2060-\u2064\ufeff]/gu;

/**
 * The text that the customer sees: the merchant's name, a space and the order id, without invisible characters and cut to the
 * bank's limit.
 */
export function shopperText(merchantName: string, orderId: string): string {
  const DESCRIPTION_LENGTH_MAX = 50;
  return [...`${merchantName} ${orderId}`.replace(INVISIBLE, '')].slice(0, DESCRIPTION_LENGTH_MAX).join('');
}
