import { z } from 'zod';
import type { Id } from '../../kernel/ids.ts';
import { RECEIPT_FLAGS } from '../../payments/store.ts';

const PAGE_ROWS_MAX = 100;
/** More than a note may have, so that a longer one is refused in words. */
const NOTE_CHARACTERS_MAX = 10_000;
const AGE_DAYS_MAX = 10_000;

const receiptId = z
  .string()
  .max(100)
  .transform((id) => id as Id<'rcp'>);
const transactionId = z
  .string()
  .trim()
  .max(100)
  .transform((id) => id as Id<'tx'>);
const note = z.string().max(NOTE_CHARACTERS_MAX);

export const OfReceipt = z.strictObject({ receiptId });

/** What an inbox is narrowed to. */
export const ListInput = z.strictObject({
  /** Those that wait for somebody, oldest first, or those that are settled, newest first. */
  state: z.enum(['open', 'settled']).default('open'),
  flag: z.enum(RECEIPT_FLAGS).optional(),
  limit: z.int().min(1).max(PAGE_ROWS_MAX).default(25),
  cursor: z.string().max(100).nullish(),
  /** Sent by the client with every list that grows. */
  direction: z.literal('forward').optional(),
});

export const AcrossInput = ListInput.extend({
  ofMerchant: z
    .string()
    .max(100)
    .transform((id) => id as Id<'mer'>)
    .optional(),
  /** Only what came at least so many days ago. */
  olderThanDays: z.int().min(1).max(AGE_DAYS_MAX).optional(),
});

export const NoteInput = z.strictObject({ receiptId, text: note });
/** Internal notes are never shown to the merchant. */
export const NoteAcrossInput = NoteInput.extend({ internal: z.boolean() });
export const ReturnInput = z.strictObject({ receiptId, amountCents: z.int().min(0), note });
export const KeepInput = z.strictObject({ receiptId, note });
export const AssignInput = z.strictObject({ receiptId, transactionId, note });
export const PreviewInput = z.strictObject({ receiptId, transactionId });
export const CreditInput = z.strictObject({ transactionId, note });
