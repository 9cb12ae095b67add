import type { Tx } from '../db/database.ts';
import type { MailKind } from '../db/tables/mails.ts';

/** A mail to be sent. Its address and text are read from the database when it is due. */
export interface NewMail {
  kind: MailKind;
  /** The subject of the mail; a second mail of the same kind and entity is not queued. */
  entity: string;
  /** When it is due, UTC milliseconds; now without it. */
  plannedAt?: number;
  /** Repeats an alert for the readers who have not had it. */
  again?: boolean;
  /** The path of a one-time link. */
  link?: string;
}

/** Queues a mail in the caller's database transaction. Does nothing when no mail server is set. */
export type QueueMail = (tx: Tx, mail: NewMail) => Promise<void>;
