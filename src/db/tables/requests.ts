import type { Id } from '../../kernel/ids.ts';
import type { Flag, Instant } from './columns.ts';

/** A request to the merchant API. Holds no personal data: no query, no body, no address. */
export interface ApiRequestTable {
  id: Id<'req'>;
  merchant_id: Id<'mer'>;
  key_id: Id<'key'>;
  at: Instant;
  method: string;
  /** The route: `/api/v1/payments/init`, `/trpc/payments.init`. */
  path: string;
  /** The HTTP status; 499 when the client closed the connection before the answer. */
  status: number;
  /** The error code; null without an error. */
  code: string | null;
  duration_ms: number;
  /** Whether the request had the header Idempotency-Key. */
  idempotent: Flag;
  transaction_id: Id<'tx'> | null;
  /** The merchant's requests before this one that exceeded the rate of the log. */
  skipped_count: number;
}
