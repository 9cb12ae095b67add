import { afterCommit, type Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { Missing, Refusal } from '../../kernel/errors.ts';
import { isErased } from '../../leads/record.ts';
import { type Author, isException, type LockedReceipt, lockReceipt } from '../exceptions/exception.ts';
import { announceRefund } from './announce.ts';
import { nextRefundState, type RefundTrigger } from './refund.ts';
import { reportRefund } from './report-refund.ts';
import { isReported } from './reported-store.ts';
import {
  changeRefund,
  closeCase,
  findRefund,
  insertHistory,
  type RefundChanges,
  type RefundRow,
  releaseRefund,
  reopenCase,
  reserveRefund,
} from './store.ts';

export type RefundDeps = Pick<
  Deps,
  'db' | 'clock' | 'ids' | 'box' | 'actor' | 'wakeDispatcher' | 'wakeBankWorkers'
>;
export type MoveRefundDeps = Pick<Deps, 'clock' | 'ids' | 'log' | 'actor' | 'wakeDispatcher'>;

/** The service itself, which sees every refund. */
export const EVERYTHING: Author = { merchantId: null, operator: true };

/** A refusal because of the refund's state; `rule` names the allowed states. */
export function wrongState(refund: Pick<RefundRow, 'id' | 'state'>, rule: string): Refusal {
  const { id, state } = refund;
  return new Refusal('refund_state', `refund ${id} is ${state}: ${rule}`, { state });
}

/** A refund with its receipt and its transaction, all locked. */
export interface LockedRefund extends LockedReceipt {
  refund: RefundRow;
}

/** Loads a refund for a change. Throws Missing, also for another merchant's refund. */
export async function lockRefund(tx: Tx, id: string, author: Author): Promise<LockedRefund> {
  const seen = await findRefund(tx, id);
  if (seen === undefined) throw new Missing('refund', id);
  const locked = await lockReceipt(tx, seen.receipt_id, author).catch((error: unknown) => {
    // The author must not learn the receipt's id either.
    throw error instanceof Missing ? new Missing('refund', id) : error;
  });
  const refund = await findRefund(tx, id, locked.receipt.merchant_id);
  if (refund === undefined) throw new Missing('refund', id);
  return { refund, ...locked };
}

/**
 * Applies a trigger to a locked refund: changes its state, the receipt's refunded amount and settlement, and writes the journal.
 * The only function that changes a refund's state. False when the trigger changes nothing, or when a failed refund that the bank
 * made later exceeds the receipt.
 */
export async function moveRefund(
  tx: Tx,
  deps: MoveRefundDeps,
  locked: LockedRefund,
  trigger: RefundTrigger,
  { note = null, ...changes }: { note?: string | null } & Omit<RefundChanges, 'state' | 'settled_at'> = {},
): Promise<boolean> {
  const { refund, receipt, transaction } = locked;
  const to = nextRefundState(refund.state, trigger);
  if (to === null) return false;
  const now = deps.clock.now();
  if (refund.state === 'failed' && !(await reserveFailed(tx, deps, locked, changes.notification)))
    return false;
  const isFinal = to === 'done' || to === 'failed';
  // The account may have been set after the last repetition of the erasure.
  const isPersonErased = isFinal && transaction !== null && (await isErased(tx, transaction));
  await changeRefund(tx, refund, {
    ...changes,
    ...(isPersonErased && { iban: null, name: null }),
    state: to,
    settled_at: isFinal ? now : null,
    check_at: isFinal ? null : (changes.check_at ?? refund.check_at),
    ...(to === 'done' && { detail: null }),
  });
  await insertHistory(tx, deps, refund, { at: now, state: to, note });
  if (to === 'failed') {
    await releaseRefund(tx, receipt, refund.amount_cents);
    await reopenCase(tx, receipt);
  }
  if (to === 'done') await announceRefund(tx, deps, { ...locked, settledAt: now });
  return true;
}

/** The note of a failed refund that the bank made and that the receipt no longer covers. */
export const EXCEEDS_RECEIPT = 'the bank made this refund, which exceeds the receipt';

/** Reserves the amount of a failed refund that the bank made. If it exceeds the receipt, reports it once and returns false. */
async function reserveFailed(
  tx: Tx,
  deps: MoveRefundDeps,
  { refund, receipt }: LockedRefund,
  notification?: string | null,
): Promise<boolean> {
  const isKnown = await isReportedMade(tx, refund);
  const fits = !isKnown && (await reserveRefund(tx, receipt, refund.amount_cents));
  const now = deps.clock.now();
  if (fits && isException(receipt)) await closeCase(tx, receipt, now);
  if (!fits && notification !== undefined) await changeRefund(tx, refund, { notification });
  if (isKnown) return false;
  const fields = { refundId: refund.id, receiptId: receipt.id, amountCents: refund.amount_cents };
  const message = fits
    ? 'the bank made a refund that had failed'
    : 'the bank made a refund that had failed, and the receipt has been refunded since: compare it with the bank';
  afterCommit(tx, () => deps.log.error(fields, message));
  if (fits) return true;
  await insertHistory(tx, deps, refund, { at: now, state: 'failed', note: EXCEEDS_RECEIPT });
  await reportRefund(tx, deps, {
    identity: reportOf(refund),
    accountIds: [refund.account_id],
    requestId: refund.request_id,
    amount: refund.amount_cents,
  });
  return false;
}

/** Whether this failed refund has already been reported as made by the bank. */
export async function isReportedMade(tx: Tx, refund: RefundRow): Promise<boolean> {
  return refund.notification !== null || (await isReported(tx, reportOf(refund)));
}

/** Whether the bank made one of the failed refunds that this one retries. */
export async function isOriginalMade(tx: Tx, refund: RefundRow): Promise<boolean> {
  for (let id = refund.retry_of; id !== null; ) {
    const original = await findRefund(tx, id, refund.merchant_id);
    if (original === undefined) return false;
    if (original.state === 'done' || (await isReportedMade(tx, original))) return true;
    id = original.retry_of;
  }
  return false;
}

function reportOf({ id }: RefundRow): string {
  return `refund ${id}`;
}
