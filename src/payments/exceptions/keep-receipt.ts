import { recordAudit } from '../../audit/store.ts';
import type { Id } from '../../kernel/ids.ts';
import {
  type Author,
  type ExceptionDeps,
  ExceptionRefused,
  lockReceipt,
  mayBeKept,
  noteText,
  receiptChanged,
  requireOpen,
  writeNote,
} from './exception.ts';
import { settleOpenReceipt } from './store.ts';

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
    const settled = await settleOpenReceipt(tx, receipt, 'credited', deps.clock.now());
    if (!settled) throw receiptChanged(receipt.id);
    await writeNote(tx, deps, [receipt], { kind: 'kept', text, operator: author.operator });
    await recordAudit(tx, deps, {
      action: 'receipt.kept',
      merchantId: receipt.merchant_id,
      target: receipt.id,
      details: { transactionId: receipt.transaction_id, note: text },
    });
  });
}
