import { recordAudit } from '../../audit/store.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Cents, eurosFromCents } from '../../kernel/money.ts';
import {
  type Author,
  dueBack,
  type ExceptionDeps,
  type LockedReceipt,
  lockReceipt,
  mayBeKept,
  noteText,
  requireOpen,
  writeNote,
} from './exception.ts';
import { changeReceipt } from './store.ts';

interface SettleOrder {
  receiptId: Id<'rcp'>;
  /** How and when it was settled; must not be empty for a return. */
  note: string;
}

/**
 * Settles a receipt that paid its transaction too late or with too much, keeping its money. No state changes and no
 * event is sent. Throws Refusal when the receipt is settled or did not pay its transaction.
 */
export function keepReceipt(deps: ExceptionDeps, author: Author, order: SettleOrder): Promise<void> {
  return settleCase(deps, author, order, 'kept', ({ receipt }) => {
    if (mayBeKept(receipt)) return null;
    throw new Refusal(
      'case_not_paying',
      `receipt ${receipt.id} did not pay its transaction: it cannot be kept, only credited, assigned or returned`,
    );
  });
}

/**
 * Records that a receipt's money was returned outside the service: all of it, or the surplus of a receipt that overpaid its
 * transaction. No state changes and no event is sent. Throws Refusal when the receipt is settled, paid its transaction
 * exactly, or may return another amount.
 */
export function markReturned(
  deps: ExceptionDeps,
  author: Author,
  order: SettleOrder & { amountCents: number },
): Promise<void> {
  return settleCase(deps, author, order, 'returned', ({ receipt, transaction }) => {
    const amount = dueBack(receipt, transaction?.amount_cents ?? null);
    if (amount === null) {
      throw new Refusal(
        'case_due',
        `receipt ${receipt.id} paid its transaction: its money is due, it cannot be marked as returned`,
      );
    }
    if (order.amountCents === amount) return amount;
    throw new Refusal(
      'case_sum',
      `the amount to return of receipt ${receipt.id} is ${eurosFromCents(amount)} EUR`,
    );
  });
}

/** Settles an open receipt, and writes its history and the audit log. `returned` returns the amount, or throws to refuse. */
async function settleCase(
  deps: ExceptionDeps,
  author: Author,
  { receiptId, note }: SettleOrder,
  kind: 'kept' | 'returned',
  returned: (locked: LockedReceipt) => Cents | null,
): Promise<void> {
  const text = noteText(note, kind === 'returned');
  await deps.db.unit(async (tx) => {
    const locked = await lockReceipt(tx, receiptId, author);
    const { receipt } = locked;
    requireOpen(receipt);
    const amount = returned(locked);
    const settlement = kind === 'kept' ? 'credited' : 'returned';
    const changes = { settlement, settled_at: deps.clock.now(), returned_cents: amount } as const;
    await changeReceipt(tx, receipt, changes);
    await writeNote(tx, deps, [receipt], { kind, text, operator: author.operator });
    await recordAudit(tx, deps, {
      action: `receipt.${kind}`,
      merchantId: receipt.merchant_id,
      target: receipt.id,
      details: {
        transactionId: receipt.transaction_id,
        ...(amount !== null && { amountCents: amount }),
        note: text,
      },
    });
  });
}
