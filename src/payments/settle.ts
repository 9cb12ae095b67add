import type { BankRecord } from '../banks/port.ts';
import type { Tx } from '../db/database.ts';
import type { PaymentMethod } from '../db/tables/tables.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import type { Cents } from '../kernel/money.ts';
import { recordLeadPaid } from '../leads/paid.ts';
import { type MoveDeps, moveTransaction } from './announce.ts';
import {
  ATTEMPT_STATES,
  type AttemptRow,
  attemptOfRecord,
  attemptsOf,
  changeAttempt,
  findAttempt,
} from './attempt-store.ts';
import {
  changeTransaction,
  findMerchant,
  hasReceipt,
  insertReceipt,
  lockTransaction,
  markFirstPaid,
  type TransactionRow,
} from './store.ts';
import { type ReceiptFlags, reasonKept, type Settlement, settleReceipt } from './transaction.ts';
import { shownAttempt } from './view.ts';

export type SettleDeps = MoveDeps & Pick<Deps, 'settings'>;

const NO_FLAGS: ReceiptFlags = { late: false, duplicate: false, under: false, over: false };

/**
 * Records one row of the bank's record, once, and moves what it moves: the attempt, the transaction, the event. A row
 * that fits no attempt is a receipt all the same, without transaction. True when the row was new.
 */
export async function settleRecord(
  tx: Tx,
  deps: SettleDeps,
  accountId: Id<'acc'>,
  record: BankRecord,
): Promise<boolean> {
  if (await hasReceipt(tx, record.identity)) return false;
  const found = await attemptOfRecord(tx, record);
  if (found === undefined) {
    await writeReceipt(tx, deps, accountId, record, undefined, NO_FLAGS);
    return true;
  }
  const transaction = await lockTransaction(tx, found.transaction_id);
  // Once more: the bank's answer to its creation may have been written until the lock was ours.
  const attempt = await findAttempt(tx, found.id);
  if (transaction === undefined || attempt === undefined) throw new Error(`attempt ${found.id} is gone`);
  const paidAt = paidAtOf(record, deps.clock.now());
  await settleMoney(tx, deps, transaction, attempt, { ...record, paidAt }, (flags) =>
    writeReceipt(tx, deps, accountId, record, attempt, flags),
  );
  return true;
}

/** Money of the bank's record, on its way to a transaction. */
export interface Money {
  amount: Cents;
  method: PaymentMethod | null;
  requestId: string | null;
  /** The bank's time of payment, never later than its recording. */
  paidAt: number;
}

/**
 * What a receipt does to the transaction that it belongs to, in the caller's unit and with the row locked: `write` puts
 * it into the books with its flags, then the attempt, the transaction and the event move. `attempt` is the one that
 * brought it; undefined when a person gave the receipt to the transaction and no attempt is known to be its own.
 */
export async function settleMoney(
  tx: Tx,
  deps: SettleDeps,
  transaction: TransactionRow,
  attempt: AttemptRow | undefined,
  money: Money,
  write: (flags: ReceiptFlags) => Promise<void>,
): Promise<Settlement> {
  const merchant = await findMerchant(tx, transaction.merchant_id);
  const { flags, settlement } = settleReceipt(
    { status: transaction.status, held: transaction.held === 1, amount: transaction.amount_cents },
    money.amount,
    merchant.hold === 1,
  );
  await write(flags);
  const payment = {
    paidAt: money.paidAt,
    method: attempt?.method ?? money.method ?? 'REFERENCE',
    attemptId: attempt?.id ?? null,
  };
  // Before the attempt changes: what the merchant reads of a held payment is what it read until now.
  if (settlement === 'held') await markHeld(tx, transaction, payment);
  if (attempt !== undefined) await settleAttempt(tx, deps, attempt, money.requestId, flags.under);
  if (settlement === 'paid') {
    await markPaid(tx, deps, transaction, payment);
  } else if (flags.under && transaction.status === 'pending') {
    // Perhaps nothing live is left: let the deadline look again.
    await changeTransaction(tx, transaction, {
      deadline_at: transaction.created_at + deps.settings.pendingMs,
    });
  }
  return settlement;
}

interface Payment {
  paidAt: number;
  method: AttemptRow['method'];
  /** Null when the operator credited a receipt that no attempt brought. */
  attemptId: Id<'att'> | null;
}

/** Makes a transaction paid and everything that follows from it, in the caller's unit. */
export async function markPaid(
  tx: Tx,
  deps: MoveDeps,
  transaction: TransactionRow,
  payment: Payment,
): Promise<void> {
  await moveTransaction(tx, deps, transaction, 'paid', payment.method, {
    paid_at: payment.paidAt,
    paid_method: payment.method,
    paid_attempt_id: payment.attemptId,
  });
  await markFirstPaid(tx, transaction.merchant_id, deps.clock.now());
  if (transaction.lead_id !== null) await recordLeadPaid(tx, transaction.lead_id, transaction.amount_cents);
}

async function markHeld(tx: Tx, transaction: TransactionRow, payment: Payment): Promise<void> {
  const changed = await changeTransaction(tx, transaction, {
    held: 1,
    paid_at: payment.paidAt,
    paid_method: payment.method,
    paid_attempt_id: payment.attemptId,
    shown_attempt_id: shownAttempt(transaction, await attemptsOf(tx, transaction.id))?.id ?? null,
    deadline_at: null,
  });
  if (!changed) throw new Error(`transaction ${transaction.id} changed while it was being held`);
}

/** A push is over with its money, whatever the sum or its state; a reference that got too little can still be paid. */
async function settleAttempt(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  attempt: AttemptRow,
  requestId: string | null,
  under: boolean,
): Promise<void> {
  const stillOpen = under && attempt.method === 'REFERENCE';
  await changeAttempt(tx, attempt.id, ATTEMPT_STATES, {
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

async function writeReceipt(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids'>,
  accountId: Id<'acc'>,
  record: BankRecord,
  attempt: AttemptRow | undefined,
  flags: ReceiptFlags,
): Promise<void> {
  const now = deps.clock.now();
  await insertReceipt(tx, {
    id: deps.ids('rcp'),
    identity: record.identity,
    transaction_id: attempt?.transaction_id ?? null,
    attempt_id: attempt?.id ?? null,
    merchant_id: attempt?.merchant_id ?? null,
    account_id: accountId,
    method: attempt?.method ?? record.method,
    amount_cents: record.amount,
    paid_at: paidAtOf(record, now),
    recorded_at: now,
    late: flags.late ? 1 : 0,
    duplicate: flags.duplicate ? 1 : 0,
    under: flags.under ? 1 : 0,
    over: flags.over ? 1 : 0,
    unmatched: attempt === undefined ? 1 : 0,
    request_id: record.requestId,
    bank_order_id: record.bankOrderId,
    entity: record.entity,
    reference: record.reference,
    record: JSON.stringify(record.raw ?? null),
  });
}

/** The bank's time of payment, never later than its recording. */
function paidAtOf(record: BankRecord, now: number): number {
  return Math.min(record.paidAt ?? now, now);
}
