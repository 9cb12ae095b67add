import type { Id } from '../../kernel/ids.ts';
import {
  type Author,
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
