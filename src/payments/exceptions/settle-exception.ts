import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { lockTransaction, type ReceiptRow, type TransactionRow } from '../store.ts';
import { CaseRefused } from './case-refused.ts';
import { findReceipt } from './exception-store.ts';

export type ExceptionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>;

/** Who acts on a receipt. `merchantId`: only on receipts of that merchant's transactions; null acts on all. */
export interface Author {
  merchantId: Id<'mer'> | null;
  operator: boolean;
}

export interface LockedReceipt {
  receipt: ReceiptRow;
  /** Its transaction, locked; null while it has none. */
  transaction: TransactionRow | null;
}

/** There is no such receipt for whoever asks. */
export class ReceiptMissing extends OperatorError {
  constructor(id: string) {
    super(`there is no receipt ${id}`);
  }
}

/**
 * Loads a receipt for a change, its transaction's row locked first, so that whoever else decides about that money comes
 * before or after. Of a sale that is held its merchant has only what came before the money that is held. Throws ReceiptMissing.
 */
export async function lockReceipt(tx: Tx, id: Id<'rcp'>, author: Author): Promise<LockedReceipt> {
  const seen = await findReceipt(tx, id);
  if (seen === undefined || (author.merchantId !== null && seen.merchant_id !== author.merchantId)) {
    throw new ReceiptMissing(id);
  }
  if (seen.transaction_id === null) return { receipt: seen, transaction: null };
  const transaction = await lockTransaction(tx, seen.transaction_id);
  const receipt = await findReceipt(tx, id);
  if (transaction === undefined || receipt === undefined) throw new ReceiptMissing(id);
  if (author.merchantId !== null && transaction.held === 1 && receipt.under === 0)
    throw new ReceiptMissing(id);
  return { receipt, transaction };
}

/** Refuses a receipt whose case is closed. */
export function demandOpen(receipt: ReceiptRow): void {
  if (receipt.settlement === null) return;
  throw new CaseRefused('settled', `receipt ${receipt.id} is settled already: it was ${receipt.settlement}`);
}
