import type { BankRecord } from '../banks/port.ts';
import { afterCommit, type Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { attemptOfRecord } from './attempt-store.ts';
import { openReportedCents } from './refunds/reported-store.ts';
import { feeColumns, settleRecord, writeReceipt } from './settle.ts';
import { lockReceiptRow, type ReceiptRow, receiptOfIdentity, setFees } from './store.ts';
import type { ReceiptFlags } from './transaction.ts';
import { type EndDeps, type LockedAttempt, lockAttempt } from './transitions.ts';

const NO_FLAGS: ReceiptFlags = { late: false, duplicate: false, under: false, over: false };
const REPORTED_MAX = 1000;
/** The receipts whose other amount was logged. Reconciliation reads the same row many times. */
const reported = new Set<ReceiptRow['id']>();

type RecordDeps = EndDeps & Pick<Deps, 'bankAccounts' | 'log'>;

/**
 * Records one row of the bank's record as a receipt, once, and settles its attempt. A row without an attempt, or with an
 * attempt of another bank account, becomes an unmatched receipt.
 */
export async function recordPayment(
  tx: Tx,
  deps: RecordDeps,
  accountId: Id<'acc'>,
  record: BankRecord,
): Promise<void> {
  const known = await receiptOfIdentity(tx, record.identity);
  if (known !== undefined) return recordAgain(tx, deps, accountId, record, known);
  const found = await attemptOfRecord(tx, record);
  const receiver = await deps.bankAccounts.ofRecord(tx, record, accountId, found?.account_id ?? null);
  if (receiver === found?.account_id) return settleRecord(tx, deps, record, await lockAttempt(tx, found));
  const id = await writeReceipt(tx, deps, receiver, record, undefined, NO_FLAGS);
  await deps.queueMail(tx, { kind: 'alert-money', entity: id });
  if (found !== undefined) {
    const fields = { attemptId: found.id, accountId: receiver, attemptAccountId: found.account_id };
    const message = 'a payment to another bank account names an attempt; it was recorded as unmatched';
    afterCommit(tx, () => deps.log.error({ ...fields, bankOrderId: record.bankOrderId }, message));
  }
}

/** Matches the receipt of a repeated row with its attempt where it may be, else adds the fees that the row knows. */
async function recordAgain(
  tx: Tx,
  deps: RecordDeps,
  accountId: Id<'acc'>,
  record: BankRecord,
  known: ReceiptRow,
): Promise<void> {
  // Each read repeats its unmatched rows: only the record of another account can match one.
  const mayMatch = isUnassigned(known) && known.account_id !== accountId;
  const found = mayMatch ? await attemptOfRecord(tx, record) : undefined;
  if (found !== undefined) {
    const receiver = await deps.bankAccounts.ofRecord(tx, record, accountId, found.account_id);
    const isOwn = receiver === found.account_id;
    if (isOwn && (await matchReceipt(tx, deps, record, await lockAttempt(tx, found), known))) return;
  }
  afterCommit(tx, () => logOtherAmount(deps, record, known));
  await completeFees(tx, record, known);
}

/** Logs, once per receipt, that a row has another amount, unless refunds explain it: the inquiry that credited it returned none. */
function logOtherAmount(
  { log }: RecordDeps,
  { amount }: BankRecord,
  { id, amount_cents, refund_cents }: ReceiptRow,
): void {
  const isReduced = amount < amount_cents && refund_cents > 0;
  if (amount === amount_cents || isReduced || reported.has(id)) return;
  if (reported.size >= REPORTED_MAX) reported.clear();
  reported.add(id);
  const message = "a row of the bank's list has another amount than its receipt; compare it with the bank";
  log.error({ receiptId: id, receivedCents: amount_cents, listedCents: amount }, message);
}

/** Whether a receipt has no transaction, and no operator has settled or refunded it. */
function isUnassigned({ transaction_id, settlement, refund_cents }: ReceiptRow): boolean {
  return transaction_id === null && settlement === null && refund_cents === 0;
}

/**
 * Settles an attempt with a receipt that another bank account's list reported first, now that the record of the attempt's own
 * account shows it too. False when they disagree, or when an operator must resolve the receipt.
 */
export async function matchReceipt(
  tx: Tx,
  deps: EndDeps & Pick<Deps, 'log'>,
  record: BankRecord,
  locked: LockedAttempt,
  known: ReceiptRow,
): Promise<boolean> {
  const { account_id } = locked.attempt;
  const receipt = await lockReceiptRow(tx, known);
  if (receipt === undefined || !isUnassigned(receipt)) return false;
  if (receipt.account_id === account_id || receipt.amount_cents !== record.amount) return false;
  // An acquirer may use a request id again: an earlier payment is not of this attempt.
  if (receipt.recorded_at < locked.attempt.created_at) return false;
  if ((await openReportedCents(tx, receipt)) > 0) return false;
  await settleRecord(tx, deps, { ...record, paidAt: receipt.paid_at }, locked, receipt);
  await completeFees(tx, record, receipt);
  const fields = { receiptId: receipt.id, attemptId: locked.attempt.id };
  afterCommit(tx, () => deps.log.warn(fields, 'an unmatched payment was matched with its order'));
  return true;
}

/**
 * Adds the fees from a later row of the bank's list to a recorded receipt, because an inquiry returns none. A row of another
 * amount, for example one reduced by a refund, has another fee and net amount.
 */
async function completeFees(tx: Tx, record: BankRecord, known: ReceiptRow): Promise<void> {
  const reported = feeColumns(record);
  const isSame = record.amount === known.amount_cents;
  const fees = {
    fee_cents: known.fee_cents ?? (isSame ? reported.fee_cents : null),
    net_cents: known.net_cents ?? (isSame ? reported.net_cents : null),
    value_date: known.value_date ?? reported.value_date,
  };
  const hasNews =
    fees.fee_cents !== known.fee_cents ||
    fees.net_cents !== known.net_cents ||
    fees.value_date !== known.value_date;
  if (hasNews) await setFees(tx, record.identity, fees);
}
