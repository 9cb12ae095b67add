import { recordAudit } from '../../audit/store.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { type AttemptRow, attemptOfRecord } from '../attempt-store.ts';
import { type SettleDeps, settleMoney } from '../settle.ts';
import { type ShownTransaction, showTransaction } from '../show.ts';
import { lockTransaction, type ReceiptRow, type TransactionRow } from '../store.ts';
import type { ReceiptFlags } from '../transaction.ts';
import { CaseRefused, changed } from './case-refused.ts';
import { attemptOfReference, findReceipt, giveReceipt, insertNotes, notesOf } from './exception-store.ts';
import { noteRow, noteText } from './note.ts';
import { ReceiptMissing } from './settle-exception.ts';

export type AssignDeps = SettleDeps & Pick<Deps, 'db' | 'actor'>;

export interface AssignOrder {
  receiptId: Id<'rcp'>;
  transactionId: Id<'tx'>;
  /** What the operator says about it; the merchant reads it. */
  note: string;
}

/**
 * Gives a receipt that fitted nothing to a transaction, as if it had been matched now: the same flags, and when it
 * makes the amount full, the transaction is paid and told of once. Done again it changes nothing. CaseRefused when
 * either is missing, when the receipt is another transaction's or was returned, or when the bank's ids say whose it is.
 */
export async function assignReceipt(
  deps: AssignDeps,
  order: AssignOrder,
): Promise<ShownTransaction['transaction']> {
  const text = noteText(order.note);
  await deps.db.unit(async (tx) => {
    const transaction = await lockTransaction(tx, order.transactionId);
    if (transaction === undefined)
      throw new CaseRefused('no_transaction', `there is no transaction ${order.transactionId}`, {
        transactionId: order.transactionId,
      });
    const receipt = await findReceipt(tx, order.receiptId);
    if (receipt === undefined) throw new ReceiptMissing(order.receiptId);
    if (await isAssigned(tx, receipt, transaction)) return;
    demandFree(receipt);
    const attempt = await attemptOf(tx, receipt, transaction);
    await settleMoney(tx, deps, transaction, attempt, moneyOf(receipt), (flags) =>
      give(tx, deps, { receipt, transaction, attempt, flags, text }),
    );
  });
  return (await showTransaction(deps, order.transactionId)).transaction;
}

async function isAssigned(tx: Tx, receipt: ReceiptRow, transaction: TransactionRow): Promise<boolean> {
  if (receipt.transaction_id !== transaction.id) return false;
  return (await notesOf(tx, receipt.id)).some((note) => note.kind === 'assigned');
}

function demandFree(receipt: ReceiptRow): void {
  if (receipt.transaction_id !== null) {
    throw new CaseRefused(
      'assigned',
      `receipt ${receipt.id} belongs to transaction ${receipt.transaction_id} already: it cannot be assigned`,
      { transactionId: receipt.transaction_id },
    );
  }
  if (receipt.settlement !== null) {
    throw new CaseRefused(
      'settled',
      `receipt ${receipt.id} was ${receipt.settlement}: it cannot be assigned any more`,
    );
  }
}

/** The attempt that the money came by: as the bank's ids tell by now, else by the digits of a reference. */
async function attemptOf(
  tx: Tx,
  receipt: ReceiptRow,
  transaction: TransactionRow,
): Promise<AttemptRow | undefined> {
  const named = await attemptOfRecord(tx, {
    bankOrderId: receipt.bank_order_id,
    requestId: receipt.request_id,
  });
  if (named !== undefined && named.transaction_id !== transaction.id) {
    throw new CaseRefused(
      'bank_says',
      `receipt ${receipt.id} was paid for transaction ${named.transaction_id} by the bank's own ids: assign it there`,
      { transactionId: named.transaction_id },
    );
  }
  if (named !== undefined || receipt.entity === null || receipt.reference === null) return named;
  return attemptOfReference(tx, transaction.id, receipt.entity, receipt.reference);
}

function moneyOf(receipt: ReceiptRow) {
  return {
    amount: receipt.amount_cents,
    method: receipt.method,
    requestId: receipt.request_id,
    paidAt: receipt.paid_at,
  };
}

interface Gift {
  receipt: ReceiptRow;
  transaction: TransactionRow;
  attempt: AttemptRow | undefined;
  flags: ReceiptFlags;
  text: string;
}

/** Money that is late, too little, too much or a repetition stays somebody's case; nothing is left to do about the rest. */
async function give(tx: Tx, deps: AssignDeps, gift: Gift): Promise<void> {
  const { receipt, transaction, attempt, flags, text } = gift;
  const flagged = Object.values(flags).some(Boolean);
  const given = await giveReceipt(tx, receipt.id, {
    transaction_id: transaction.id,
    attempt_id: attempt?.id ?? null,
    merchant_id: transaction.merchant_id,
    method: attempt?.method ?? receipt.method,
    late: flags.late ? 1 : 0,
    duplicate: flags.duplicate ? 1 : 0,
    under: flags.under ? 1 : 0,
    over: flags.over ? 1 : 0,
    settlement: flagged ? null : 'assigned',
    settled_at: flagged ? null : deps.clock.now(),
  });
  if (!given) throw changed(receipt.id);
  const assigned = { kind: 'assigned', text, operator: true, internal: false } as const;
  await insertNotes(tx, [noteRow(deps, receipt.id, assigned)]);
  await recordAudit(tx, deps, {
    action: 'receipt.assigned',
    merchantId: transaction.merchant_id,
    target: receipt.id,
    details: { transactionId: transaction.id, amountCents: receipt.amount_cents, flags, note: text },
  });
}
