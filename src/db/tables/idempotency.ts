import type { Id } from '../../kernel/ids.ts';

/** The answer of a call that carried a key, for when it is repeated. Instants in UTC milliseconds. */
export interface IdempotencyTable {
  merchant_id: Id<'mer'>;
  key: string;
  /** SHA-256 of the validated input, lower-case hex. */
  fingerprint: string;
  /** The answer's body, JSON. */
  response: string;
  created_at: number;
}

/** POSTs of one client in its minute; used where several processes count together. */
export interface PostCountTable {
  client: string;
  count: number;
  ends_at: number;
}
