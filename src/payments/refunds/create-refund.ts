import { recordAudit } from '../../audit/store.ts';
import { REFUND_ROUTES } from '../../banks/port.ts';
import { afterCommit, type Tx } from '../../db/database.ts';
import { SERVICE } from '../../kernel/actor.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Cents, cents, eurosFromCents } from '../../kernel/money.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { type Author, isException } from '../exceptions/exception.ts';
import { findTransaction, type ReceiptRow, receiptsOf } from '../store.ts';
import { payingReceipts } from './announce.ts';
import { checkedIban, checkedName, ibanPlace } from './iban.ts';
import { type LockedReceipt, lockForRefund, type RefundDeps, RefundRefused } from './move.ts';
import { closeCase, inFlightRefund, insertHistory, insertRefund, reserveRefund } from './store.ts';

export interface RefundOrder {
  /** The receipt to refund, or a transaction whose one paying receipt is refunded. */
  of: { receiptId: Id<'rcp'> } | { transactionId: Id<'tx'> };
  /** Null for all that is left. */
  amount: Cents | null;
  reason?: string | undefined;
  iban?: string | undefined;
  /** The account holder; the customer when left out. */
  name?: string | undefined;
}

const REASON_LENGTH_MAX = 500;

/**
 * Requests a refund, which the server then sends, or which a person makes by bank transfer. Throws RefundRefused when the author may
 * not, or when the receipt cannot be refunded by this amount.
 */
export async function createRefund(deps: RefundDeps, author: Author, order: RefundOrder): Promise<Id<'ref'>> {
  const reason = checkedReason(order.reason);
  const iban = order.iban === undefined ? null : checkedIban(order.iban);
  const name = order.name === undefined ? null : checkedName(order.name);
  return deps.db.unit(async (tx) => {
    const receiptId =
      'receiptId' in order.of ? order.of.receiptId : await payingReceipt(tx, order.of.transactionId, author);
    const locked = await lockForRefund(tx, receiptId, author);
    await requireAllowed(tx, locked, author);
    const { receipt, transaction } = locked;
    const rest = cents(receipt.amount_cents - receipt.refund_cents);
    return placeRefund(tx, deps, locked, {
      amount: order.amount ?? rest,
      reason,
      iban,
      name: name ?? customerName(transaction?.customer ?? null),
      retryOf: null,
    });
  });
}

interface NewRefund {
  amount: Cents;
  reason: string | null;
  iban: string | null;
  name: string | null;
  retryOf: Id<'ref'> | null;
}

/** Writes a refund of a locked receipt, if the receipt has room for it. Throws RefundRefused. */
export async function placeRefund(
  tx: Tx,
  deps: RefundDeps,
  { receipt, transaction }: LockedReceipt,
  order: NewRefund,
): Promise<Id<'ref'>> {
  if (transaction?.held === 1)
    throw new RefundRefused('held', `transaction ${transaction.id} is held: release it before a refund`);
  if (receipt.settlement === 'returned')
    throw new RefundRefused(
      'returned',
      `receipt ${receipt.id} was marked as returned: it cannot be refunded`,
    );
  if (order.amount === 0 && receipt.refund_cents < receipt.amount_cents)
    throw new RefundRefused('amount', 'the amount must be above 0');
  const byTransfer = isTransfer(receipt);
  const inFlight = byTransfer ? undefined : await inFlightRefund(tx, receipt.id);
  if (inFlight !== undefined) {
    throw new RefundRefused(
      'in_flight',
      `refund ${inFlight.id} of receipt ${receipt.id} is ${inFlight.state}: wait for its outcome`,
      {
        refundId: inFlight.id,
      },
    );
  }
  if (order.amount === 0 || !(await reserveRefund(tx, receipt.id, order.amount))) {
    const rest = eurosFromCents(cents(receipt.amount_cents - receipt.refund_cents));
    const sentence =
      rest === 0
        ? `receipt ${receipt.id} has no money left to refund`
        : `receipt ${receipt.id} can be refunded by ${rest} EUR at most`;
    throw new RefundRefused('above_rest', sentence, { rest });
  }
  const now = deps.clock.now();
  const id = deps.ids('ref');
  const state = byTransfer ? 'awaiting_transfer' : 'requested';
  await insertRefund(tx, {
    ...{ id, receipt_id: receipt.id, account_id: receipt.account_id, amount_cents: order.amount, state },
    request_id: byTransfer ? null : receipt.request_id,
    reason: order.reason,
    iban: order.iban === null ? null : deps.box.seal(order.iban, ibanPlace(id)),
    name: order.name,
    retry_of: order.retryOf,
    ...{ detail: null, bank_refund_id: null, instance_id: null, sent_at: null, check_at: null },
    ...{ notification: null, created_at: now, settled_at: null, exported_at: null },
  });
  const actor = (deps.actor ?? SERVICE).name;
  await insertHistory(tx, { refund_id: id, at: now, state, actor, note: order.reason });
  if (isException(receipt)) await closeCase(tx, receipt.id, now);
  await recordAudit(tx, deps, {
    action: 'refund.created',
    merchantId: receipt.merchant_id,
    target: id,
    details: {
      receiptId: receipt.id,
      transactionId: receipt.transaction_id,
      amountCents: order.amount,
      reason: order.reason,
      retryOf: order.retryOf,
    },
  });
  afterCommit(tx, deps.wakeBankWorkers);
  return id;
}

/** Whether a person refunds this receipt by bank transfer, because the bank does not. */
export function isTransfer(receipt: Pick<ReceiptRow, 'request_id' | 'method'>): boolean {
  return receipt.request_id === null || REFUND_ROUTES[receipt.method ?? 'REFERENCE'] === 'transfer';
}

/** Throws RefundRefused unless the author may refund this receipt. */
export async function requireAllowed(tx: Tx, { receipt }: LockedReceipt, author: Author): Promise<void> {
  if (author.operator) return;
  const merchant = receipt.merchant_id === null ? null : await selectMerchant(tx, receipt.merchant_id);
  if (merchant?.refunds === 1) return;
  throw new RefundRefused('not_allowed', 'refunds are switched off for this merchant');
}

/** The receipt that paid a transaction. Throws RefundRefused when it is not paid, or was credited from several receipts. */
async function payingReceipt(tx: Tx, id: Id<'tx'>, author: Author): Promise<Id<'rcp'>> {
  const transaction = await findTransaction(tx, id, author.merchantId);
  if (transaction === undefined) throw new RefundRefused('not_paid', `there is no transaction ${id}`);
  const [receipt, ...others] = payingReceipts(await receiptsOf(tx, transaction.id));
  if (transaction.held === 1)
    throw new RefundRefused('held', `transaction ${id} is held: release it before a refund`);
  if (transaction.status !== 'paid' || receipt === undefined) {
    throw new RefundRefused('not_paid', `transaction ${id} is not paid: name a receipt with --receipt`);
  }
  if (others.length > 0) {
    const all = [receipt, ...others].map((one) => one.id).join(', ');
    throw new RefundRefused(
      'several_receipts',
      `transaction ${id} was credited from several receipts: name one of them with --receipt (${all})`,
    );
  }
  return receipt.id;
}

function checkedReason(text = ''): string | null {
  const reason = text.trim();
  if (reason.length > REASON_LENGTH_MAX) {
    throw new RefundRefused('text_long', `the reason must have at most ${REASON_LENGTH_MAX} characters`, {
      max: REASON_LENGTH_MAX,
    });
  }
  return reason === '' ? null : reason;
}

/** The name of a customer, JSON. */
export function customerName(customer: string | null): string | null {
  const { name } = customer === null ? {} : (JSON.parse(customer) as { name?: string });
  return name ?? null;
}
