import type { AttemptRow } from './attempt-store.ts';
import type { TransactionRow } from './store.ts';

/** The columns of a transaction that the status call shows or decides by. */
export type StatusRow = Pick<
  TransactionRow,
  | 'id'
  | 'order_id'
  | 'status'
  | 'held'
  | 'amount_cents'
  | 'paid_at'
  | 'paid_method'
  | 'paid_attempt_id'
  | 'shown_attempt_id'
>;

/** The columns of an attempt that the status call shows or decides by. */
export type StatusAttempt = Pick<
  AttemptRow,
  'id' | 'state' | 'accepted' | 'method' | 'entity' | 'reference' | 'expires_at'
>;

/** A transaction with more attempts takes a second query. */
export const ATTEMPTS_JOINED_MAX = 50;

/** A transaction with one of its attempts, or with none. */
export type StatusJoined = StatusRow & { attempt_id: StatusAttempt['id'] | null } & {
  [Column in Exclude<keyof StatusAttempt, 'id'>]: StatusAttempt[Column] | null;
};
