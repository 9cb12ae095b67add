import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';

/**
 * How an exception ended. `assigned`: money that fitted nothing now is a transaction's, and nothing is left to do.
 * `credited`: its money counts for its transaction, by the operator's credit or because it was kept as it came.
 * `returned`: the money, or what was too much of it, went back outside the service.
 */
export type ReceiptSettlement = 'assigned' | 'credited' | 'returned';

/** What people did about a receipt; null while it waits for them, or when it needs nobody. */
export interface ReceiptSettlementColumns {
  /** UTC milliseconds. */
  settled_at: number | null;
  settlement: ReceiptSettlement | null;
  /** What went back of it; null unless `returned`. */
  returned_cents: Cents | null;
}

/** `note` is what somebody wrote; the others were written by an action, with what its author said about it. */
export type ReceiptNoteKind = 'note' | 'assigned' | 'credited' | 'kept' | 'returned';

/** The story of a receipt that needed people. Never changed, never deleted. */
export interface ReceiptNoteTable {
  id: Id<'rno'>;
  receipt_id: Id<'rcp'>;
  /** UTC milliseconds. */
  at: number;
  /** The author's name as the audit log has it. */
  actor: string;
  kind: ReceiptNoteKind;
  text: string;
  /** 1 when the operator wrote it; the merchant then reads of the platform, not of a person. */
  by_operator: 0 | 1;
  /** 1 for what only the operator reads. */
  internal: 0 | 1;
}
