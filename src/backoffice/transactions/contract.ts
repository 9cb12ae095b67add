import { z } from 'zod';
import type { ReceiptFlag } from '../../payments/store.ts';
import { exportLanguage } from '../csv.ts';
import { SEARCH_CHARACTERS_MAX } from './search-text.ts';

const PAGE_ROWS_MAX = 100;
/** New rows that one look brings at most. */
export const NEWER_ROWS_MAX = 50;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'write a day as YYYY-MM-DD');

/** What a list of transactions is narrowed to; the days are Lisbon's, both included. */
export const Filters = z.strictObject({
  search: z.string().max(SEARCH_CHARACTERS_MAX).optional(),
  state: z.enum(['pending', 'paid', 'failed', 'cancelled']).optional(),
  method: z.enum(['MBWAY', 'REFERENCE']).optional(),
  from: day.optional(),
  to: day.optional(),
  /** Those with money that is late, twice, too little or too much, and not settled yet. */
  attention: z.boolean().optional(),
});
export type Filters = z.output<typeof Filters>;

export const ListInput = Filters.extend({
  limit: z.int().min(1).max(PAGE_ROWS_MAX).default(50),
  cursor: z.string().max(100).nullish(),
  /** Sent along by the browser's library for lists that go on; it goes one way here. */
  direction: z.literal('forward').optional(),
});

export const AcrossInput = ListInput.extend({ held: z.boolean().optional() });

export const WatchInput = Filters.extend({
  /** The rows that are on the page, whose states may change. */
  ids: z.array(z.string().max(40)).max(PAGE_ROWS_MAX),
  /** The newest row known; null when the list is empty. */
  newest: z.string().max(40).nullable(),
});

/** The same as words of an address, for the download. */
export const ExportInput = z.strictObject({
  ...Filters.omit({ attention: true }).shape,
  attention: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  language: exportLanguage,
});

export type AttentionFlag = Exclude<ReceiptFlag, 'unmatched'>;

/** One transaction in the list. Amounts in cents, instants in UTC milliseconds. */
export interface ListedTransaction {
  transactionId: string;
  merchantId: string;
  orderId: string;
  amountCents: number;
  status: 'pending' | 'paid' | 'failed' | 'cancelled';
  /** Always false to a merchant, to whom a held payment looks pending. */
  held: boolean;
  method: 'MBWAY' | 'REFERENCE' | null;
  createdAt: number;
  paidAt: number | null;
  customerName: string | null;
  customerEmail: string | null;
  /** Of the attempt that is shown. */
  phoneNumber: string | null;
  entity: string | null;
  reference: string | null;
  /** Why people are needed; empty when they are not. */
  attention: AttentionFlag[];
}

export interface TransactionPage {
  rows: ListedTransaction[];
  /** Where to go on; null at the end. */
  nextCursor: string | null;
  /**
   * How far back this page looked, when it stopped before it was full: a page looks at a bounded number of rows, and a
   * rare thing may be further back. Null otherwise.
   */
  searchedTo: number | null;
}
