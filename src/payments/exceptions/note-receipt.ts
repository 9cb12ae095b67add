import { recordAudit } from '../../audit/store.ts';
import type { Id } from '../../kernel/ids.ts';
import { CaseRefused } from './case-refused.ts';
import { isException } from './exception.ts';
import { insertNotes, NOTES_PER_RECEIPT_MAX, notesOf } from './exception-store.ts';
import { noteRow, noteText } from './note.ts';
import { type Author, type ExceptionDeps, lockReceipt } from './settle-exception.ts';

/**
 * Adds a note to a receipt that needs, or needed, a person. `internal` notes are the operator's own. CaseRefused when
 * the text is empty or too long, when the receipt is an ordinary one, or when it has too many notes.
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
      throw new CaseRefused('ordinary', `receipt ${receipt.id} is an ordinary payment: it takes no notes`);
    }
    if ((await notesOf(tx, receipt.id)).length >= NOTES_PER_RECEIPT_MAX) {
      throw new CaseRefused(
        'notes_full',
        `receipt ${receipt.id} has ${NOTES_PER_RECEIPT_MAX} notes, more it does not take`,
      );
    }
    const internal = order.internal && author.operator;
    await insertNotes(tx, [
      noteRow(deps, receipt.id, { kind: 'note', text, operator: author.operator, internal }),
    ]);
    await recordAudit(tx, deps, {
      action: 'receipt.noted',
      merchantId: internal ? null : receipt.merchant_id,
      target: receipt.id,
      details: { note: text },
    });
  });
}
