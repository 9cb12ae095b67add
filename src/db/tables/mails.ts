import type { Id } from '../../kernel/ids.ts';
import type { Instant } from './columns.ts';

export const MAIL_KINDS = [
  'invitation',
  'password-reset',
  'alert-undelivered',
  'alert-money',
  'alert-bank',
  'multibanco-instructions',
  'multibanco-reminder',
  'payment-receipt',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** `dropped`: its reason no longer existed when it was due. */
type MailState = 'queued' | 'sent' | 'dropped' | 'failed';

/**
 * The outbox of mail. It contains neither addresses nor texts: both are read when the mail is due. An alert is first one row for
 * all readers and then one row per reader.
 */
export interface MailTable {
  id: Id<'mail'>;
  kind: MailKind;
  /** The subject: a link's hash, a receipt, a transaction, or a merchant or acquirer with an interval. Unique with kind and reader. */
  entity: string;
  /** The user who reads the alert; empty in other rows. */
  reader: string;
  /** The path of a one-time link, encrypted for `mails.link:<id>`; null once the mail is sent. */
  link: string | null;
  state: MailState;
  attempts_count: number;
  /** When the next attempt is due, or a running attempt counts as lost; null once finished. */
  due_at: Instant | null;
  /** When the first attempt is due. */
  planned_at: Instant;
  finished_at: Instant | null;
  /** Why the last attempt failed. */
  error: string | null;
}
