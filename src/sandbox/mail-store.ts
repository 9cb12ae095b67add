import type { Mail } from './schema.ts';
import type { Statements } from './statements.ts';

const MAILS_KEPT = 1000;

/** The mailbox's part of the sandbox's file. */
export class MailStore {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Keeps a mail, and deletes the oldest beyond a thousand. */
  save(mail: Omit<Mail, 'id'>): void {
    const { lastInsertRowid } = this.#sql.insert('mails', mail);
    this.#sql.change('DELETE FROM mails WHERE id <= ?', Number(lastInsertRowid) - MAILS_KEPT);
  }

  /** The newest mails of one recipient, or of all. */
  recent(recipient: string | null, limit: number): Mail[] {
    if (recipient === null) return this.#sql.all('SELECT * FROM mails ORDER BY id DESC LIMIT ?', limit);
    const sql = 'SELECT * FROM mails WHERE recipient = ? ORDER BY id DESC LIMIT ?';
    return this.#sql.all(sql, recipient, limit);
  }
}
