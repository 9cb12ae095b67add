import type Sqlite from 'better-sqlite3';
import type { Mail } from './schema.ts';

const MAILS_KEPT = 1000;

/** The mailbox's part of the sandbox's file. */
export class MailStore {
  readonly #db: Sqlite.Database;

  constructor(db: Sqlite.Database) {
    this.#db = db;
  }

  /** Keeps a mail, and deletes the oldest beyond a thousand. */
  save(mail: Omit<Mail, 'id'>): void {
    const { lastInsertRowid } = this.#db
      .prepare(
        `INSERT INTO mails (recipient, kind, subject, body_text, body_html, created_at)
          VALUES (@recipient, @kind, @subject, @body_text, @body_html, @created_at)`,
      )
      .run(mail);
    this.#db.prepare('DELETE FROM mails WHERE id <= ?').run(Number(lastInsertRowid) - MAILS_KEPT);
  }

  /** The newest mails of one recipient, or of all. */
  recent(recipient: string | null, limit: number): Mail[] {
    const which = recipient === null ? '' : 'WHERE recipient = @recipient';
    return this.#db
      .prepare(`SELECT * FROM mails ${which} ORDER BY id DESC LIMIT @limit`)
      .all({ limit, ...(recipient !== null && { recipient }) }) as Mail[];
  }
}
