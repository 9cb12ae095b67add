import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import { eurosFromCents } from '../kernel/money.ts';
import { type AttemptRow, attemptsOf } from './attempt-store.ts';
import type { StatusOutput } from './contract.ts';
import { statusView } from './status.ts';
import { findTransaction, RECEIPT_FLAGS, type ReceiptFlag, type ReceiptRow, receiptsOf } from './store.ts';

/** The operator's view of a transaction: the merchant's view plus attempts and receipts. Amounts in EUR. */
export interface ShownTransaction {
  transaction: StatusOutput & { held: boolean };
  attempts: ShownAttempt[];
  receipts: ShownReceipt[];
}

export interface ShownAttempt {
  id: string;
  method: string;
  state: string;
  phoneNumber: string | null;
  entity: string | null;
  reference: string | null;
  expiresAt: string | null;
  createdAt: string;
}

export interface ShownReceipt {
  id: string;
  attemptId: string | null;
  amount: number;
  paidAt: string;
  flags: ReceiptFlag[];
}

/** Loads the operator's view of a transaction. Throws OperatorError when it does not exist. */
export async function showTransaction(deps: Pick<Deps, 'db'>, id: string): Promise<ShownTransaction> {
  const row = await findTransaction(deps.db.read, id);
  if (row === undefined) throw new OperatorError(`there is no transaction ${id}`);
  const attempts = await attemptsOf(deps.db.read, row.id);
  const receipts = await receiptsOf(deps.db.read, row.id);
  return {
    transaction: { ...statusView(row, attempts), held: row.held === 1 },
    attempts: attempts.map(shownAttempt),
    receipts: receipts.map(shownReceipt),
  };
}

function shownAttempt(row: AttemptRow): ShownAttempt {
  return {
    id: row.id,
    method: row.method,
    state: row.state,
    phoneNumber: row.phone_number,
    entity: row.entity,
    reference: row.reference,
    expiresAt: row.expires_at === null ? null : isoInstant(row.expires_at),
    createdAt: isoInstant(row.created_at),
  };
}

/** The operator's view of a receipt. */
export function shownReceipt(row: ReceiptRow): ShownReceipt {
  return {
    id: row.id,
    attemptId: row.attempt_id,
    amount: eurosFromCents(row.amount_cents),
    paidAt: isoInstant(row.paid_at),
    flags: RECEIPT_FLAGS.filter((flag) => row[flag] === 1),
  };
}
