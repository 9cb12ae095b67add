import type Sqlite from 'better-sqlite3';
import type { EupagoAccount, EupagoNotification, Payment, Push, Reference } from '../schema.ts';

/** Bounds the file: accounts are opened by tests and operators. */
const ACCOUNTS_MAX = 1000;
const ROWS_MAX = 5000;

const CLIENT_KEYS = 'SELECT api_key FROM eupago_accounts WHERE client_id = ?';

/** EuPago's part of the sandbox's file. */
export class EupagoStore {
  readonly #db: Sqlite.Database;

  constructor(db: Sqlite.Database) {
    this.#db = db;
  }

  /** Opens or changes an account. False when there are too many. */
  saveAccount(account: EupagoAccount): boolean {
    const { count } = this.#db.prepare('SELECT count(*) AS count FROM eupago_accounts').get() as {
      count: number;
    };
    if (count >= ACCOUNTS_MAX && this.account(account.api_key) === undefined) return false;
    this.#db
      .prepare(
        `INSERT INTO eupago_accounts (api_key, client_id, client_secret, webhook_key, callback_url, encrypts, opened_at)
          VALUES (@api_key, @client_id, @client_secret, @webhook_key, @callback_url, @encrypts, @opened_at)
          ON CONFLICT DO UPDATE SET client_id = excluded.client_id, client_secret = excluded.client_secret,
            webhook_key = excluded.webhook_key, callback_url = excluded.callback_url, encrypts = excluded.encrypts`,
      )
      .run(account);
    return true;
  }

  account(apiKey: string): EupagoAccount | undefined {
    return this.#get('SELECT * FROM eupago_accounts WHERE api_key = ?', apiKey);
  }

  isClient(clientId: string, secret: string): boolean {
    const sql = 'SELECT 1 FROM eupago_accounts WHERE client_id = ? AND client_secret = ?';
    return this.#get(sql, clientId, secret) !== undefined;
  }

  insertToken(token: string, clientId: string, now: number, lapsesAt: number): void {
    this.#db.prepare('DELETE FROM eupago_tokens WHERE lapses_at <= ?').run(now);
    this.#db.prepare('INSERT INTO eupago_tokens VALUES (?, ?, ?)').run(token, clientId, lapsesAt);
  }

  /** The client of a token that has not lapsed. */
  clientOf(token: string, now: number): string | undefined {
    const sql = 'SELECT client_id FROM eupago_tokens WHERE token = ? AND lapses_at > ?';
    return this.#get<{ client_id: string }>(sql, token, now)?.client_id;
  }

  push(apiKey: string, reference: string): Push | undefined {
    const sql = `SELECT * FROM pushes WHERE acquirer = 'eupago' AND mbway_key = ? AND reference = ?`;
    return this.#get(sql, apiKey, reference);
  }

  reference(apiKey: string, reference: string): Reference | undefined {
    const sql = `SELECT * FROM multibanco_references WHERE acquirer = 'eupago' AND mb_key = ? AND reference = ?`;
    return this.#get(sql, apiKey, reference);
  }

  /** What a client's accounts have under an identifier or a reference, the newest first. */
  found(
    clientId: string,
    by: { name: 'identifier' | 'reference'; value: string },
  ): { pushes: Push[]; references: Reference[] } {
    const column = by.name === 'identifier' ? 'order_id' : 'reference';
    const pushes = `SELECT * FROM pushes WHERE acquirer = 'eupago' AND mbway_key IN (${CLIENT_KEYS})
      AND ${column} = ? ORDER BY id DESC LIMIT ${ROWS_MAX}`;
    const references = `SELECT * FROM multibanco_references WHERE acquirer = 'eupago' AND mb_key IN (${CLIENT_KEYS})
      AND ${column} = ? ORDER BY created_at DESC LIMIT ${ROWS_MAX}`;
    return {
      pushes: this.#all(pushes, clientId, by.value),
      references: this.#all(references, clientId, by.value),
    };
  }

  paymentsOf(apiKey: string, reference: string): Payment[] {
    const sql = `SELECT * FROM payments WHERE acquirer = 'eupago' AND sub_entity = ? AND reference = ?
      ORDER BY id LIMIT ${ROWS_MAX}`;
    return this.#all(sql, apiKey, reference);
  }

  /** The payments of a client's accounts since `from`, the newest first. */
  paymentsSince(clientId: string, from: number): Payment[] {
    const sql = `SELECT * FROM payments WHERE acquirer = 'eupago' AND sub_entity IN (${CLIENT_KEYS})
      AND paid_at >= ? ORDER BY id DESC LIMIT ${ROWS_MAX}`;
    return this.#all(sql, clientId, from);
  }

  /** A payment to one of a client's accounts. */
  paymentOf(clientId: string, trid: string): Payment | undefined {
    const sql = `SELECT * FROM payments WHERE acquirer = 'eupago' AND sub_entity IN (${CLIENT_KEYS}) AND request_id = ?`;
    return this.#get(sql, clientId, trid);
  }

  /** The payment of a refund to one of a client's accounts. */
  refundedPayment(clientId: string, refundId: string): Payment | undefined {
    const sql = `SELECT payments.* FROM payments JOIN refunds ON refunds.payment_id = payments.id
      WHERE acquirer = 'eupago' AND sub_entity IN (${CLIENT_KEYS}) AND refunds.id = ?`;
    return this.#get(sql, clientId, Number(refundId));
  }

  insertNotification(notification: Omit<EupagoNotification, 'id' | 'attempts'> & { due_at: number }): void {
    this.#db
      .prepare(
        `INSERT INTO eupago_notifications (api_key, body, flavour, attempts, due_at)
          VALUES (@api_key, @body, @flavour, 0, @due_at)`,
      )
      .run(notification);
  }

  /** Takes due notifications, the earliest first. They count as being sent from now on. */
  claim(now: number, limit: number): EupagoNotification[] {
    const sql = 'SELECT * FROM eupago_notifications WHERE due_at <= ? ORDER BY due_at, id LIMIT ?';
    const due = this.#all<EupagoNotification>(sql, now, limit);
    const take = this.#db.prepare('UPDATE eupago_notifications SET due_at = NULL WHERE id = ?');
    for (const { id } of due) take.run(id);
    return due;
  }

  postpone(id: number, attempts: number, dueAt: number): void {
    this.#db
      .prepare('UPDATE eupago_notifications SET attempts = ?, due_at = ? WHERE id = ?')
      .run(attempts, dueAt, id);
  }

  remove(id: number): void {
    this.#db.prepare('DELETE FROM eupago_notifications WHERE id = ?').run(id);
  }

  /** Makes notifications due that were being sent when the process ended. */
  release(now: number): void {
    this.#db.prepare('UPDATE eupago_notifications SET due_at = ? WHERE due_at IS NULL').run(now);
  }

  nextAt(): number | null {
    return this.#get<{ at: number | null }>('SELECT min(due_at) AS at FROM eupago_notifications')?.at ?? null;
  }

  #get<Row>(sql: string, ...values: unknown[]): Row | undefined {
    return this.#db.prepare(sql).get(...values) as Row | undefined;
  }

  #all<Row>(sql: string, ...values: unknown[]): Row[] {
    return this.#db.prepare(sql).all(...values) as Row[];
  }
}
