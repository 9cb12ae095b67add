import { recordAudit } from '../audit/store.ts';
import type { Id } from '../kernel/ids.ts';
import { CaseRefused, changed } from './exceptions/case-refused.ts';
import { mayBeKept } from './exceptions/exception.ts';
import { insertNotes, settleOpenReceipt } from './exceptions/exception-store.ts';
import { noteRow, noteText } from './exceptions/note.ts';
import { type Author, demandOpen, type ExceptionDeps, lockReceipt } from './exceptions/settle-exception.ts';

/**
 * Closes the case of a receipt that paid its transaction too late or with too much, its money kept as it came; nothing
 * moves and no event is sent. CaseRefused when the receipt is settled or did not pay its transaction.
 */
export async function keepReceipt(
  deps: ExceptionDeps,
  author: Author,
  order: { receiptId: Id<'rcp'>; note: string },
): Promise<void> {
  const text = noteText(order.note);
  await deps.db.unit(async (tx) => {
    const { receipt } = await lockReceipt(tx, order.receiptId, author);
    demandOpen(receipt);
    if (!mayBeKept(receipt)) {
      throw new CaseRefused(
        'not_paying',
        `receipt ${receipt.id} did not pay its transaction: it cannot be kept, only credited, assigned or returned`,
      );
    }
    const settled = await settleOpenReceipt(tx, receipt, 'credited', deps.clock.now());
    if (!settled) throw changed(receipt.id);
    const kept = { kind: 'kept', text, operator: author.operator, internal: false } as const;
    await insertNotes(tx, [noteRow(deps, receipt.id, kept)]);
    await recordAudit(tx, deps, {
      action: 'receipt.kept',
      merchantId: receipt.merchant_id,
      target: receipt.id,
      details: { transactionId: receipt.transaction_id, note: text },
    });
  });
}
