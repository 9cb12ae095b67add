import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';

/**
 * How an exception ended. `assigned`: an unmatched receipt was assigned to a transaction. `credited`: its amount counts for its
 * transaction, by the operator's credit or because it was kept. `returned`: the amount, or its excess, was returned outside the service.
 */
export type ReceiptSettlement = 'assigned' | 'credited' | 'returned';

/** How an exception was settled; null while it is open, and for receipts that are no exception. */
export interface ReceiptSettlementColumns {
  /** UTC milliseconds. */
  settled_at: number | null;
  settlement: ReceiptSettlement | null;
  /** The returned amount; null unless `returned`. */
  returned_cents: Cents | null;
}

/** `note` was written by hand; the others belong to an action. */
export type ReceiptNoteKind = 'note' | 'assigned' | 'credited' | 'kept' | 'returned';

/** The history of an exception. Never changed, never deleted. */
export interface ReceiptNoteTable {
  id: Id<'rno'>;
  receipt_id: Id<'rcp'>;
  /** UTC milliseconds. */
  at: number;
  /** The author's name, as in the audit log. */
  actor: string;
  kind: ReceiptNoteKind;
  text: string;
  /** 1 when an operator wrote it; the merchant then sees the platform as its author. */
  by_operator: 0 | 1;
  /** 1 when only operators see it. */
  internal: 0 | 1;
}
