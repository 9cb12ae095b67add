import type { Database } from '../../db/database.ts';
import type { Role } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import { SERVICE } from '../../kernel/actor.ts';
import type { Id } from '../../kernel/ids.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { dueBack, isException, isHidden } from '../../payments/exceptions/exception.ts';
import { findReceipt } from '../../payments/exceptions/store.ts';
import { surplusOf } from '../../payments/refunds/announce.ts';
import { customerName } from '../../payments/refunds/iban.ts';
import { EXCEEDS_RECEIPT } from '../../payments/refunds/move.ts';
import { isTransfer } from '../../payments/refunds/place-refund.ts';
import { inFlightRefund } from '../../payments/refunds/store.ts';
import { historyOf } from '../../payments/refunds/view-store.ts';
import { findTransaction, type ReceiptRow, type TransactionRow } from '../../payments/store.ts';
import { notFound } from '../errors.ts';
import { refundLine } from './list.ts';
import { type ListedRow, namesOfMerchants, refundRowsOf } from './store.ts';

type ShowDeps = Pick<Deps, 'box'> & { db: Pick<Database, 'read'> };

/** The reader. `merchantId` is null for operators on pages of no merchant. */
export interface RefundReader {
  merchantId: Id<'mer'> | null;
  operator: boolean;
  role: Role;
}

type Refusal = 'viewer' | 'off' | 'unavailable' | 'held' | 'returned' | 'nothing_left' | 'in_flight';

/** A receipt with its refunds, newest first, and the effect of a further refund. Throws NOT_FOUND. */
export function refundsOfReceipt(
  { db, box }: Pick<Deps, 'db' | 'box'>,
  reader: RefundReader,
  receiptId: Id<'rcp'>,
) {
  return db.snapshot((read) => receiptWithRefunds({ db: { read }, box }, reader, receiptId));
}

async function receiptWithRefunds(deps: ShowDeps, reader: RefundReader, receiptId: Id<'rcp'>) {
  const db = deps.db.read;
  const receipt = await findReceipt(db, receiptId);
  const transactionId = receipt?.transaction_id ?? null;
  const transaction = transactionId === null ? null : ((await findTransaction(db, transactionId)) ?? null);
  if (receipt === undefined || !isVisible(reader, receipt, transaction)) throw notFound();
  const merchant = receipt.merchant_id === null ? null : await selectMerchant(db, receipt.merchant_id);
  const may = mayAct(reader, merchant?.refunds === 1);
  const rows = await refundRowsOf(db, receipt.id);
  const leftCents = receipt.amount_cents - receipt.refund_cents;
  const excess = receipt.over === 1 ? (dueBack(receipt, transaction?.amount_cents ?? null) ?? 0) : 0;
  const excessLeft = excess - receipt.refund_cents;
  const surplus =
    merchant?.refund_events === 1 && transaction !== null ? await surplusOf(db, transaction, receipt) : null;
  return {
    receiptId: receipt.id,
    amountCents: receipt.amount_cents,
    leftCents,
    /** The proposed amount of a refund: the surplus of an over-paid receipt, otherwise the entire remainder. */
    proposedCents: excessLeft > 0 ? excessLeft : leftCents,
    method: receipt.method,
    paidAt: receipt.paid_at,
    transfer: isTransfer(receipt),
    transaction:
      transaction === null
        ? null
        : { id: transaction.id, orderId: transaction.order_id, status: transaction.status },
    merchant: merchant === null ? null : { id: merchant.id, name: merchant.name },
    customerName: customerName(transaction?.customer ?? null),
    /** Whether the reader may act on refunds of this receipt. */
    may: may === null,
    refusal: may ?? (await refusalOf(deps, reader, receipt, transaction)),
    /** Whether a refund closes the open case of the receipt. */
    closesCase: receipt.settlement === null && isException(receipt),
    /** The amount above which a refund of this receipt reduces the money of the order; null when no refund does. */
    eventAboveCents: surplus === null ? null : Math.max(0, surplus),
    refunds: await Promise.all(rows.map((row) => shownRefund(deps, reader, row, rows))),
  };
}

function isVisible(
  { merchantId, operator }: RefundReader,
  receipt: ReceiptRow,
  transaction: TransactionRow | null,
): boolean {
  if (merchantId === null) return true;
  return receipt.merchant_id === merchantId && (operator || !isHidden(receipt, transaction));
}

function mayAct({ operator, role }: RefundReader, switchedOn: boolean): Refusal | null {
  if (operator) return null;
  if (role !== 'owner') return 'viewer';
  return switchedOn ? null : 'off';
}

async function refusalOf(
  { db }: ShowDeps,
  { operator }: RefundReader,
  receipt: ReceiptRow,
  transaction: TransactionRow | null,
): Promise<Refusal | null> {
  if (transaction?.held === 1) return operator ? 'held' : 'unavailable';
  if (receipt.settlement === 'returned') return 'returned';
  if (receipt.refund_cents >= receipt.amount_cents) return 'nothing_left';
  return (await inFlightRefund(db.read, receipt)) === undefined ? null : 'in_flight';
}

/**
 * A refund with its history. A merchant sees no names of operators and no technical details. A refund that an operator settled as
 * failed has no reason of the bank; the note says why.
 */
async function shownRefund(
  deps: ShowDeps,
  reader: RefundReader,
  row: ListedRow,
  siblings: readonly ListedRow[],
) {
  const lines = await historyOf(deps.db.read, row);
  const names = lines.map(({ actor }) => actor);
  const known = reader.operator ? new Set(names) : await namesOfMerchants(deps.db.read, names);
  // A later line of the same state says that the bank made the refund after all.
  const failure = lines.find(({ state }) => state === 'failed');
  const isBankReason = row.state === 'failed' && failure?.actor === SERVICE.name;
  const isUnclear = row.state === 'unknown' || (row.state === 'failed' && !isBankReason);
  const isReadable = reader.operator || (isBankReason && !lines.some(({ state }) => state === 'unknown'));
  return {
    ...refundLine(deps, row),
    bankReason: isBankReason && isReadable ? row.detail : null,
    technicalDetail: reader.operator && isUnclear && row.detail !== failure?.note ? row.detail : null,
    /** Whether the bank made it although it had failed and the receipt no longer covers it. */
    bankMade: row.state === 'failed' && lines.some(({ note }) => note === EXCEEDS_RECEIPT),
    repeated: siblings.some(({ retry_of: repeats }) => repeats === row.id),
    history: lines.map(({ at, state, actor, note }) => ({
      at,
      state,
      /** Null when a merchant reads what an operator did. */
      actor: known.has(actor) || actor === SERVICE.name ? actor : null,
      note: isReadable || state !== 'failed' || actor !== SERVICE.name ? note : null,
    })),
  };
}
