import type { AuditAction } from '../../db/tables/audit.ts';
import type { ReceiptNoteKind } from '../../db/tables/exceptions.ts';
import type { DeadReason, DeliveryState, EventKind, PaymentMethod } from '../../db/tables/tables.ts';
import type { ReceiptFlag } from '../../payments/store.ts';
import type { DeliveryOrigin } from './details.ts';

/** One event of a transaction's history, which the page turns into a sentence. Instants in UTC milliseconds. */
export type TimelineEntry = { at: number; key: string } & (
  | { kind: 'created' }
  | { kind: 'attempt-begun'; method: PaymentMethod; phoneNumber: string | null }
  | {
      kind: 'attempt-accepted';
      method: PaymentMethod;
      entity: string | null;
      reference: string | null;
      expiresAt: number | null;
    }
  | { kind: 'attempt-unknown'; method: PaymentMethod }
  | { kind: 'attempt-ended'; method: PaymentMethod; ending: AttemptEnding; reason: DeadReason | null }
  | {
      kind: 'receipt';
      receiptId: string;
      amountCents: number;
      method: PaymentMethod | null;
      paidAt: number;
      flags: ReceiptFlag[];
    }
  | { kind: 'held' }
  /** `author` is null when a merchant reads what an operator did. */
  | { kind: 'action'; action: AuditAction; author: string | null }
  | { kind: 'event'; event: EventKind; number: number | null }
  | {
      kind: 'delivery';
      deliveryId: string;
      event: EventKind;
      state: DeliveryState;
      origin: DeliveryOrigin;
      /** Includes attempts that were deleted. */
      triesCount: number;
      tries: { number: number; status: number | null; error: string | null; done: boolean }[];
    }
  | { kind: 'note'; note: ReceiptNoteKind; text: string; author: string | null }
);

export type AttemptEnding = 'rejected' | 'declined' | 'lapsed' | 'expired' | 'dead';
