import { recordAudit } from '../../audit/store.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import {
  type Author,
  type ExceptionDeps,
  isException,
  lockReceipt,
  noteText,
  writeNote,
} from './exception.ts';
import { NOTES_PER_RECEIPT_MAX, notesOf } from './store.ts';

/**
 * Adds a note to a receipt that is or was an exception. Merchants do not see `internal` notes. Throws Refusal
 * when the text is empty or too long, or the receipt was never an exception or has too many notes.
 */
export async function noteReceipt(
  deps: ExceptionDeps,
  author: Author,
  order: { receiptId: Id<'rcp'>; text: string; internal: boolean },
): Promise<void> {
  const text = noteText(order.text, true);
  await deps.db.unit(async (tx) => {
    const { receipt } = await lockReceipt(tx, order.receiptId, author);
    if (!isException(receipt) && receipt.settlement === null) {
      throw new Refusal('case_ordinary', `receipt ${receipt.id} is an ordinary payment: it takes no notes`);
    }
    if ((await notesOf(tx, receipt)).length >= NOTES_PER_RECEIPT_MAX) {
      throw new Refusal(
        'case_notes_full',
        `receipt ${receipt.id} already has the maximum of ${NOTES_PER_RECEIPT_MAX} notes`,
      );
    }
    const internal = order.internal && author.operator;
    await writeNote(tx, deps, [receipt], { kind: 'note', text, operator: author.operator, internal });
    await recordAudit(tx, deps, {
      action: 'receipt.noted',
      merchantId: internal ? null : receipt.merchant_id,
      target: receipt.id,
      details: { note: text },
    });
  });
}
