import type { Tx } from '../../db/database.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Cents, cents, eurosFromCents } from '../../kernel/money.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { type Author, type LockedReceipt, lockReceipt } from '../exceptions/exception.ts';
import { findTransaction, receiptsOf } from '../store.ts';
import { payingReceipts } from './announce.ts';
import { checkedIban, checkedName, customerName } from './iban.ts';
import type { RefundDeps } from './move.ts';
import { placeRefund, type SeenCase } from './place-refund.ts';

interface RefundOrder extends SeenCase {
  /** The receipt to refund, or a transaction whose one paying receipt is refunded. */
  of: { receiptId: Id<'rcp'> } | { transactionId: Id<'tx'> };
  /** Null for the full refundable amount. */
  amount: Cents | null;
  /** The refundable amount that the author saw; an accidental repetition no longer matches it and is refused. */
  left?: Cents | undefined;
  reason?: string | undefined;
  iban?: string | undefined;
  /** The account holder; the customer when left out. */
  name?: string | undefined;
}

const REASON_LENGTH_MAX = 500;

/**
 * Requests a refund, which the refund worker sends or an operator makes by bank transfer. Throws Refusal when the author is
 * not allowed to refund the receipt, or when the receipt cannot be refunded by this amount.
 */
export async function createRefund(deps: RefundDeps, author: Author, order: RefundOrder): Promise<Id<'ref'>> {
  const reason = checkedReason(order.reason);
  const iban = order.iban === undefined ? null : checkedIban(order.iban);
  const name = order.name === undefined ? null : checkedName(order.name);
  return deps.db.unit(async (tx) => {
    const receiptId =
      'receiptId' in order.of ? order.of.receiptId : await payingReceipt(tx, order.of.transactionId, author);
    const locked = await lockReceipt(tx, receiptId, author);
    await requireAllowed(tx, locked, author);
    const { receipt, transaction } = locked;
    const rest = cents(receipt.amount_cents - receipt.refund_cents);
    if (order.left !== undefined && order.left !== rest)
      throw new Refusal('refund_rest_changed', `receipt ${receipt.id} has been refunded since you looked`, {
        rest: eurosFromCents(rest),
      });
    return placeRefund(tx, deps, locked, {
      amount: order.amount ?? rest,
      closesCase: order.closesCase,
      transactionStatus: order.transactionStatus,
      reason,
      iban,
      name: name ?? customerName(transaction?.customer ?? null),
      retryOf: null,
    });
  });
}

/** Throws Refusal unless the author may refund this receipt. */
export async function requireAllowed(tx: Tx, { receipt }: LockedReceipt, author: Author): Promise<void> {
  if (author.operator) return;
  const merchant = receipt.merchant_id === null ? null : await selectMerchant(tx, receipt.merchant_id);
  if (merchant?.refunds === 1) return;
  throw new Refusal('refund_not_allowed', 'refunds are switched off for this merchant');
}

/** The receipt that paid a transaction. Throws Refusal when it is not paid, or was credited from several receipts. */
async function payingReceipt(tx: Tx, id: Id<'tx'>, author: Author): Promise<Id<'rcp'>> {
  const transaction = await findTransaction(tx, id, author.merchantId);
  if (transaction === undefined) throw new Refusal('refund_not_paid', `there is no transaction ${id}`);
  const receipts = await receiptsOf(tx, transaction);
  const paying = payingReceipts(receipts);
  // A second payment of a session's order is flagged as a duplicate although it paid its transaction.
  const flagged = receipts.find(
    ({ attempt_id, paid_at }) =>
      attempt_id === transaction.paid_attempt_id && paid_at === transaction.paid_at,
  );
  const [receipt = flagged, ...others] = paying;
  if (transaction.held === 1)
    throw new Refusal('refund_held', `transaction ${id} is held: release it before a refund`);
  if (transaction.status !== 'paid' || receipt === undefined) {
    throw new Refusal('refund_not_paid', `transaction ${id} is not paid: name a receipt with --receipt`);
  }
  if (others.length > 0) {
    const all = [receipt, ...others].map((one) => one.id).join(', ');
    throw new Refusal(
      'refund_several_receipts',
      `transaction ${id} was credited from several receipts: name one of them with --receipt (${all})`,
    );
  }
  return receipt.id;
}

function checkedReason(text = ''): string | null {
  const reason = text.trim();
  if (reason.length > REASON_LENGTH_MAX) {
    throw new Refusal('refund_text_long', `the reason must have at most ${REASON_LENGTH_MAX} characters`, {
      max: REASON_LENGTH_MAX,
    });
  }
  return reason === '' ? null : reason;
}
