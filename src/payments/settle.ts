import type { BankRecord } from '../banks/port.ts';
import type { Tx } from '../db/database.ts';
import { ATTEMPT_STATES, type PaymentMethod } from '../db/tables/payments.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import type { Cents } from '../kernel/money.ts';
import { recordLeadPaid } from '../leads/record.ts';
import { markFirstPaid, selectMerchant } from '../merchants/store.ts';
import { type AttemptRow, attemptsOf, changeAttempt } from './attempt-store.ts';
import { MAILED_FLAGS } from './exceptions/exception.ts';
import { assignRows, changeReceipt, nameAttempt } from './exceptions/store.ts';
import { isOrderSettled, wasSessionPaid } from './session-store.ts';
import { mailReceipt } from './shopper-mails.ts';
import { shownAttempt } from './status.ts';
import {
  changeTransaction,
  type FeeColumns,
  insertReceipt,
  type ReceiptRow,
  type TransactionRow,
} from './store.ts';
import { countSent } from './totals.ts';
import {
  flagColumns,
  paidAgain,
  type ReceiptDecision,
  type ReceiptFlags,
  reasonKept,
  receiptDecision,
} from './transaction.ts';
import { type EndDeps, type LockedAttempt, moveTransaction, rearmDeadline } from './transitions.ts';

/**
 * Settles an attempt with a row of its bank account's record: with a new receipt, or with `known`, its unassigned receipt.
 */
export async function settleRecord(
  tx: Tx,
  deps: EndDeps,
  record: BankRecord,
  { transaction, attempt }: LockedAttempt,
  known?: ReceiptRow,
): Promise<void> {
  const decision = await decideReceipt(tx, transaction, record.amount);
  const payment = { ...record, paidAt: paidAtOf(record, deps.clock.now()) };
  const id =
    known === undefined
      ? await writeReceipt(tx, deps, attempt.account_id, payment, attempt, decision.flags)
      : await moveReceipt(tx, known, attempt, decision.flags);
  // The merchant does not see the money of a held sale; its alerts wait for the release.
  if (decision.settlement !== 'held' && transaction.held === 0)
    await mailException(tx, deps, { id, ...flagColumns(decision.flags) });
  await applyReceipt(tx, deps, transaction, attempt, payment, decision);
}

/** Decides the effect of a receipt of `amount` on its locked transaction. */
export async function decideReceipt(
  tx: Tx,
  transaction: TransactionRow,
  amount: Cents,
): Promise<ReceiptDecision> {
  const merchant = await selectMerchant(tx, transaction.merchant_id);
  const decision = receiptDecision(transaction, amount, merchant?.hold === 1);
  if (decision.settlement === 'none' || !(await isOrderSettled(tx, transaction))) return decision;
  return paidAgain(decision);
}

/**
 * Applies a decided and written receipt to its attempt and its transaction. `attempt` is undefined when an operator
 * assigned the receipt and its attempt is not known.
 */
export async function applyReceipt(
  tx: Tx,
  deps: EndDeps,
  transaction: TransactionRow,
  attempt: AttemptRow | undefined,
  receipt: { method: PaymentMethod | null; requestId: string | null; paidAt: number },
  { flags, settlement }: ReceiptDecision,
): Promise<void> {
  const payment: Payment = {
    paid_at: receipt.paidAt,
    paid_method: attempt?.method ?? receipt.method ?? 'REFERENCE',
    paid_attempt_id: attempt?.id ?? null,
  };
  // Runs before the attempt changes, because a held transaction keeps showing the attempt that it showed.
  if (settlement === 'held') await markHeld(tx, transaction, payment);
  if (attempt !== undefined) await settleAttempt(tx, deps, attempt, receipt.requestId, flags.under);
  if (settlement === 'paid') await markPaid(tx, deps, transaction, payment);
  else if (flags.under) await rearmDeadline(tx, deps, transaction);
}

/**
 * Ends a push that the bank reports as paid and whose receipt an operator settled before the push's request id was known.
 * False when the receipt belongs to another attempt or is still open.
 */
export async function adoptSettledReceipt(
  tx: Tx,
  deps: EndDeps,
  { transaction, attempt }: LockedAttempt,
  receipt: ReceiptRow,
): Promise<boolean> {
  if (receipt.attempt_id !== null) return false;
  if (receipt.transaction_id === null && receipt.settlement === null) return false;
  if (receipt.transaction_id === transaction.id) await nameAttempt(tx, receipt, attempt.id);
  await settleAttempt(tx, deps, attempt, attempt.request_id, false);
  await rearmDeadline(tx, deps, transaction);
  return true;
}

interface Payment {
  paid_at: number;
  paid_method: PaymentMethod;
  /** Null when the attempt is not known. */
  paid_attempt_id: Id<'att'> | null;
}

/** Marks a transaction as paid: its state, its event, the merchant's first sale and the lead's sales. */
export async function markPaid(
  tx: Tx,
  deps: EndDeps,
  transaction: TransactionRow,
  payment: Payment,
): Promise<void> {
  const isAgain = await wasSessionPaid(tx, transaction);
  const isFirst = transaction.session_id !== null && !isAgain;
  const changes = isFirst ? { ...payment, session_paid: 1 } : payment;
  await moveTransaction(tx, deps, transaction, 'paid', payment.paid_method, changes);
  await markFirstPaid(tx, transaction.merchant_id, deps.clock.now());
  await mailReceipt(tx, deps, transaction);
  // To the lead, all transactions of a checkout session are one order.
  if (transaction.lead_id !== null && !isAgain) await recordLeadPaid(tx, transaction, transaction.lead_id);
}

async function markHeld(tx: Tx, transaction: TransactionRow, payment: Payment): Promise<void> {
  await changeTransaction(tx, transaction, {
    ...payment,
    held: 1,
    shown_attempt_id: shownAttempt(transaction, await attemptsOf(tx, transaction))?.id ?? null,
    deadline_at: null,
  });
}

/** Any payment ends a push, with any amount and in any state. An underpaid reference can still be paid. */
async function settleAttempt(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  attempt: AttemptRow,
  requestId: string | null,
  under: boolean,
): Promise<void> {
  const stillOpen = under && attempt.method === 'REFERENCE';
  countSent(tx, attempt);
  await changeAttempt(tx, attempt, ATTEMPT_STATES, {
    request_id: attempt.request_id ?? requestId,
    accepted: 1,
    ...(stillOpen
      ? {}
      : {
          state: 'paid',
          check_at: null,
          ended_at: attempt.ended_at ?? deps.clock.now(),
          end_reason: reasonKept(attempt),
        }),
  });
}

/** Queues the alert about a receipt that does not fit its order, also when one went to the operators before. */
export async function mailException(
  tx: Tx,
  deps: Pick<Deps, 'queueMail'>,
  receipt: Pick<ReceiptRow, 'id' | keyof ReceiptFlags> & Partial<Pick<ReceiptRow, 'unmatched'>>,
): Promise<void> {
  if (MAILED_FLAGS.some((flag) => receipt[flag] === 1))
    await deps.queueMail(tx, { kind: 'alert-money', entity: receipt.id, again: true });
}

/** Writes a new receipt, of the attempt or unmatched. Returns its id. */
export async function writeReceipt(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids'>,
  accountId: Id<'acc'>,
  record: BankRecord,
  attempt: AttemptRow | undefined,
  flags: ReceiptFlags,
): Promise<Id<'rcp'>> {
  const now = deps.clock.now();
  const id = deps.ids('rcp');
  await insertReceipt(tx, {
    id,
    identity: record.identity,
    transaction_id: attempt?.transaction_id ?? null,
    attempt_id: attempt?.id ?? null,
    merchant_id: attempt?.merchant_id ?? null,
    account_id: accountId,
    method: attempt?.method ?? record.method,
    amount_cents: record.amount,
    paid_at: paidAtOf(record, now),
    recorded_at: now,
    ...flagColumns(flags),
    unmatched: attempt === undefined ? 1 : 0,
    request_id: record.paymentId ?? record.requestId,
    bank_order_id: record.bankOrderId,
    entity: record.entity,
    reference: record.reference,
    record: JSON.stringify(record.raw ?? null),
    ...feeColumns(record),
  });
  return id;
}

/** Assigns an unassigned receipt to the attempt and its bank account. Returns its id. */
async function moveReceipt(
  tx: Tx,
  receipt: ReceiptRow,
  { id, account_id, transaction_id, merchant_id, method }: AttemptRow,
  flags: ReceiptFlags,
): Promise<Id<'rcp'>> {
  const owner = { account_id, transaction_id, merchant_id, attempt_id: id, method };
  await changeReceipt(tx, receipt, { ...owner, unmatched: 0, ...flagColumns(flags) });
  await assignRows(tx, receipt.id, merchant_id);
  return receipt.id;
}

export function feeColumns({ fees }: BankRecord): FeeColumns {
  return {
    fee_cents: fees?.fee ?? null,
    net_cents: fees?.net ?? null,
    value_date: fees?.valueDate ?? null,
  };
}

/** The bank's time of payment, never later than its recording. */
function paidAtOf(record: BankRecord, now: number): number {
  return Math.min(record.paidAt ?? now, now);
}
