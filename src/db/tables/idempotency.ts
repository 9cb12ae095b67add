import type { Id } from '../../kernel/ids.ts';

/** The stored response of a call with an Idempotency-Key. Instants in UTC milliseconds. */
export interface IdempotencyTable {
  merchant_id: Id<'mer'>;
  key: string;
  /** SHA-256 of the validated input, lower-case hex. */
  fingerprint: string;
  /** The response body, JSON. */
  response: string;
  created_at: number;
}

/** POSTs of one client in its minute, counted by all processes on PostgreSQL. */
export interface PostCountTable {
  client: string;
  count: number;
  ends_at: number;
}
