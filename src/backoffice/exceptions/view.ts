import type { ReceiptSettlement } from '../../db/tables/exceptions.ts';
import type { PaymentMethod, TransactionStatus } from '../../db/tables/tables.ts';
import type { Cents } from '../../kernel/money.ts';
import { RECEIPT_FLAGS, type ReceiptFlag } from '../../payments/store.ts';
import type { CaseRow } from './store.ts';

/** One line of an inbox. Instants in UTC milliseconds. */
export interface CaseLine {
  receiptId: string;
  amountCents: Cents;
  flags: ReceiptFlag[];
  method: PaymentMethod | null;
  entity: string | null;
  reference: string | null;
  paidAt: number;
  recordedAt: number;
  settlement: ReceiptSettlement | null;
  settledAt: number | null;
  returnedCents: Cents | null;
  transaction: {
    id: string;
    orderId: string;
    amountCents: Cents;
    status: TransactionStatus;
    held: boolean;
  } | null;
  merchant: { id: string; name: string } | null;
}

export function caseLine(row: CaseRow): CaseLine {
  return {
    receiptId: row.id,
    amountCents: row.amount_cents,
    flags: RECEIPT_FLAGS.filter((flag) => row[flag] === 1),
    method: row.method,
    entity: row.entity,
    reference: row.reference,
    paidAt: row.paid_at,
    recordedAt: row.recorded_at,
    settlement: row.settlement,
    settledAt: row.settled_at,
    returnedCents: row.returned_cents,
    transaction: transactionOf(row),
    merchant:
      row.merchant_id === null || row.merchant_name === null
        ? null
        : { id: row.merchant_id, name: row.merchant_name },
  };
}

/** To its merchant a sale that is held looks as it did before. */
export function unheld(row: CaseRow): CaseRow {
  return { ...row, held: 0 };
}

function transactionOf(row: CaseRow): CaseLine['transaction'] {
  const { transaction_id: id, order_id: orderId, due_cents: amountCents, status } = row;
  if (id === null || orderId === null || amountCents === null || status === null) return null;
  return { id, orderId, amountCents, status, held: row.held === 1 };
}
