import { recordAudit } from '../../audit/store.ts';
import { REFUND_ROUTES } from '../../banks/port.ts';
import { afterCommit, type Tx } from '../../db/database.ts';
import type { TransactionStatus } from '../../db/tables/payments.ts';
import type { RefundState } from '../../db/tables/refunds.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Cents, cents, eurosFromCents } from '../../kernel/money.ts';
import { isException, type LockedReceipt, requireOpen } from '../exceptions/exception.ts';
import type { ReceiptRow } from '../store.ts';
import { announceRefund } from './announce.ts';
import type { RefundDeps } from './move.ts';
import { openReportedCents } from './reported-store.ts';
import { closeCase, inFlightRefund, insertHistory, insertRefund, reserveRefund } from './store.ts';

/** What the author saw; the refund is refused when the case was settled since, or the receipt assigned or its order credited. */
export interface SeenCase {
  /** Whether the refund closes an open case. */
  closesCase?: boolean | undefined;
  /** Of the receipt's transaction; null while the receipt is unmatched. */
  transactionStatus?: TransactionStatus | null | undefined;
}

interface NewRefund extends SeenCase {
  amount: Cents;
  reason: string | null;
  iban: string | null;
  name: string | null;
  retryOf: Id<'ref'> | null;
  /** Set for a refund that the bank has already made; `notification` replaces the identity of the bank's notification. */
  made?: { at: number; notification: string; note: string };
}

/** Writes a refund of a locked receipt, if the receipt has room for it. Throws Refusal. */
export async function placeRefund(
  tx: Tx,
  deps: RefundDeps,
  locked: LockedReceipt,
  order: NewRefund,
): Promise<Id<'ref'>> {
  const { receipt } = locked;
  const { made } = order;
  const byTransfer = isTransfer(receipt);
  await requireRefundable(tx, locked, order);
  if (!made) await requireUnreported(tx, receipt, order.amount);
  const now = deps.clock.now();
  const id = deps.ids('ref');
  const state: RefundState = made ? 'done' : byTransfer ? 'awaiting_transfer' : 'requested';
  await insertRefund(tx, {
    id,
    receipt_id: receipt.id,
    account_id: receipt.account_id,
    amount_cents: order.amount,
    state,
    merchant_id: receipt.merchant_id,
    request_id: byTransfer ? null : receipt.request_id,
    reason: order.reason,
    iban: order.iban === null ? null : deps.box.encrypt(order.iban, `refunds.iban:${id}`),
    name: order.name,
    retry_of: order.retryOf,
    created_at: now,
    settled_at: made?.at ?? null,
    notification: made?.notification ?? null,
  });
  const key = { id, merchant_id: receipt.merchant_id };
  await insertHistory(tx, deps, key, { at: now, state, note: made?.note ?? order.reason });
  if (isException(receipt)) await closeCase(tx, receipt, now);
  await recordAudit(tx, deps, {
    action: made ? 'refund.recorded' : 'refund.created',
    merchantId: receipt.merchant_id,
    target: id,
    details: {
      receiptId: receipt.id,
      transactionId: receipt.transaction_id,
      amountCents: order.amount,
      ...(made ? { note: made.note } : { reason: order.reason, retryOf: order.retryOf }),
    },
  });
  const refund = { id, amount_cents: order.amount };
  if (made) await announceRefund(tx, deps, { refund, ...locked, settledAt: made.at });
  afterCommit(tx, deps.wakeBankWorkers);
  return id;
}

/** Throws Refusal when the amount and the unsettled reports of refunds exceed the rest of the receipt. */
async function requireUnreported(tx: Tx, receipt: ReceiptRow, amount: Cents): Promise<void> {
  const reported = await openReportedCents(tx, receipt);
  if (reported === 0 || receipt.refund_cents + reported + amount <= receipt.amount_cents) return;
  throw new Refusal(
    'refund_reported_open',
    `the bank reports a refund of receipt ${receipt.id} that was made elsewhere: an operator must settle it under Refunds first`,
  );
}

/** Reserves the amount on a locked receipt. Throws Refusal; only a refund that the bank has made may join one in flight. */
async function requireRefundable(
  tx: Tx,
  { receipt, transaction }: LockedReceipt,
  { amount, closesCase, transactionStatus, made }: NewRefund,
): Promise<void> {
  if (transaction?.held === 1)
    throw new Refusal('refund_held', `transaction ${transaction.id} is held: release it before a refund`);
  if (receipt.settlement === 'returned')
    throw new Refusal(
      'refund_returned',
      `receipt ${receipt.id} was marked as returned: it cannot be refunded`,
    );
  if (closesCase === true) requireOpen(receipt);
  if (transactionStatus !== undefined && transactionStatus !== (transaction?.status ?? null))
    throw new Refusal('case_changed', `the order of receipt ${receipt.id} has changed since you looked`);
  if (amount === 0 && receipt.refund_cents < receipt.amount_cents)
    throw new Refusal('refund_amount', 'the amount must be above 0');
  const inFlight = made ? undefined : await inFlightRefund(tx, receipt);
  if (inFlight !== undefined) {
    throw new Refusal(
      'refund_in_flight',
      `refund ${inFlight.id} of receipt ${receipt.id} is ${inFlight.state}: wait for its outcome`,
      { refundId: inFlight.id },
    );
  }
  if (amount === 0 || !(await reserveRefund(tx, receipt, amount))) {
    const rest = eurosFromCents(cents(receipt.amount_cents - receipt.refund_cents));
    const sentence =
      rest === 0
        ? `receipt ${receipt.id} has no money left to refund`
        : `at most ${rest} EUR of receipt ${receipt.id} can still be refunded`;
    throw new Refusal('refund_above_rest', sentence, { rest });
  }
}

/** Whether a person refunds this receipt by bank transfer, because the bank does not. */
export function isTransfer(receipt: Pick<ReceiptRow, 'request_id' | 'method'>): boolean {
  return receipt.request_id === null || REFUND_ROUTES[receipt.method ?? 'REFERENCE'] === 'transfer';
}
