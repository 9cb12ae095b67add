import type { Id } from '../../kernel/ids.ts';
import { eurosFromCents } from '../../kernel/money.ts';
import {
  type Author,
  dueBack,
  type ExceptionDeps,
  ExceptionRefused,
  lockReceipt,
  mayBeKept,
  noteText,
  requireOpen,
  settleCase,
} from './exception.ts';

/**
 * Settles a receipt that paid its transaction too late or with too much, keeping its money. No state changes and no
 * event is sent. Throws ExceptionRefused when the receipt is settled or did not pay its transaction.
 */
export async function keepReceipt(
  deps: ExceptionDeps,
  author: Author,
  order: { receiptId: Id<'rcp'>; note: string },
): Promise<void> {
  const text = noteText(order.note);
  await deps.db.unit(async (tx) => {
    const { receipt } = await lockReceipt(tx, order.receiptId, author);
    requireOpen(receipt);
    if (!mayBeKept(receipt)) {
      throw new ExceptionRefused(
        'not_paying',
        `receipt ${receipt.id} did not pay its transaction: it cannot be kept, only credited, assigned or returned`,
      );
    }
    await settleCase(tx, deps, author, receipt, { kind: 'kept', text, returned: null });
  });
}

export interface ReturnOrder {
  receiptId: Id<'rcp'>;
  /** The returned amount in cents: the full receipt, or the surplus of a receipt that overpaid its transaction. */
  amountCents: number;
  /** How and when the money was returned; must not be empty. */
  note: string;
}

/**
 * Records that a receipt's money was returned outside the service. No state changes and no event is sent. Throws
 * ExceptionRefused when the receipt is settled, paid its transaction exactly, or may return another amount.
 */
export async function markReturned(deps: ExceptionDeps, author: Author, order: ReturnOrder): Promise<void> {
  const text = noteText(order.note, true);
  await deps.db.unit(async (tx) => {
    const { receipt, transaction } = await lockReceipt(tx, order.receiptId, author);
    requireOpen(receipt);
    const amount = dueBack(receipt, transaction?.amount_cents ?? null);
    if (amount === null) {
      throw new ExceptionRefused(
        'due',
        `receipt ${receipt.id} paid its transaction: its money is due, it cannot be marked as returned`,
      );
    }
    if (order.amountCents !== amount) {
      throw new ExceptionRefused(
        'sum',
        `the amount to return of receipt ${receipt.id} is ${eurosFromCents(amount)} EUR`,
      );
    }
    await settleCase(tx, deps, author, receipt, { kind: 'returned', text, returned: amount });
  });
}
