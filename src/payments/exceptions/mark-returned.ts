import { recordAudit } from '../../audit/store.ts';
import type { Id } from '../../kernel/ids.ts';
import { eurosFromCents } from '../../kernel/money.ts';
import { CaseRefused, changed } from './case-refused.ts';
import { dueBack } from './exception.ts';
import { insertNotes, settleOpenReceipt } from './exception-store.ts';
import { noteRow, noteText } from './note.ts';
import { type Author, demandOpen, type ExceptionDeps, lockReceipt } from './settle-exception.ts';

export interface ReturnOrder {
  receiptId: Id<'rcp'>;
  /** What went back, in cents: the whole receipt, or the surplus of one that paid its transaction with too much. */
  amountCents: number;
  /** How and when it went back; must not be empty. */
  note: string;
}

/**
 * Writes down that a receipt's money went back outside the service; nothing moves and no event is sent. CaseRefused
 * when the receipt is settled, when it paid its transaction exactly, or when the sum is not the one that may go back.
 */
export async function markReturned(deps: ExceptionDeps, author: Author, order: ReturnOrder): Promise<void> {
  const text = noteText(order.note, true);
  await deps.db.unit(async (tx) => {
    const { receipt, transaction } = await lockReceipt(tx, order.receiptId, author);
    demandOpen(receipt);
    const amount = dueBack(receipt, transaction?.amount_cents ?? null);
    if (amount === null) {
      throw new CaseRefused(
        'due',
        `receipt ${receipt.id} paid its transaction: its money is due, it cannot be marked as returned`,
      );
    }
    if (order.amountCents !== amount) {
      throw new CaseRefused(
        'sum',
        `what goes back of receipt ${receipt.id} is ${eurosFromCents(amount)} EUR`,
      );
    }
    const settled = await settleOpenReceipt(tx, receipt, 'returned', deps.clock.now(), amount);
    if (!settled) throw changed(receipt.id);
    const returned = { kind: 'returned', text, operator: author.operator, internal: false } as const;
    await insertNotes(tx, [noteRow(deps, receipt.id, returned)]);
    await recordAudit(tx, deps, {
      action: 'receipt.returned',
      merchantId: receipt.merchant_id,
      target: receipt.id,
      details: { transactionId: receipt.transaction_id, amountCents: amount, note: text },
    });
  });
}
