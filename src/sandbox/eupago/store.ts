import { CallbackStore } from '../callback-store.ts';
import type { EupagoAccount, EupagoNotification, Payment, Push, Reference } from '../schema.ts';
import type { Statements } from '../statements.ts';

/** Bounds the file: accounts are opened by tests and operators. */
const ACCOUNTS_MAX = 1000;
const ROWS_MAX = 5000;

const CLIENT_KEYS = 'SELECT api_key FROM eupago_accounts WHERE client_id = ?';

/** EuPago's part of the sandbox's file. */
export class EupagoStore {
  readonly notifications: CallbackStore<EupagoNotification>;
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
    this.notifications = new CallbackStore(sql, 'eupago_notifications');
  }

  /** Opens or changes an account. False when there are too many. */
  saveAccount(account: EupagoAccount): boolean {
    const opened =
      this.#sql.get<{ count: number }>('SELECT count(*) AS count FROM eupago_accounts')?.count ?? 0;
    const known = this.account(account.api_key);
    if (opened >= ACCOUNTS_MAX && known === undefined) return false;
    this.#sql.upsert('eupago_accounts', { ...account, opened_at: known?.opened_at ?? account.opened_at });
    return true;
  }

  account(apiKey: string): EupagoAccount | undefined {
    return this.#sql.get('SELECT * FROM eupago_accounts WHERE api_key = ?', apiKey);
  }

  isClient(clientId: string, secret: string): boolean {
    const sql = 'SELECT 1 FROM eupago_accounts WHERE client_id = ? AND client_secret = ?';
    return this.#sql.get(sql, clientId, secret) !== undefined;
  }

  insertToken(token: string, clientId: string, now: number, expiresAt: number): void {
    this.#sql.change('DELETE FROM eupago_tokens WHERE lapses_at <= ?', now);
    this.#sql.insert('eupago_tokens', { token, client_id: clientId, lapses_at: expiresAt });
  }

  /** The client of a token that has not expired. */
  clientOf(token: string, now: number): string | undefined {
    const sql = 'SELECT client_id FROM eupago_tokens WHERE token = ? AND lapses_at > ?';
    return this.#sql.get<{ client_id: string }>(sql, token, now)?.client_id;
  }

  push(apiKey: string, reference: string): Push | undefined {
    const sql = `SELECT * FROM pushes WHERE acquirer = 'eupago' AND mbway_key = ? AND reference = ?`;
    return this.#sql.get(sql, apiKey, reference);
  }

  reference(apiKey: string, reference: string): Reference | undefined {
    const sql = `SELECT * FROM multibanco_references WHERE acquirer = 'eupago' AND mb_key = ? AND reference = ?`;
    return this.#sql.get(sql, apiKey, reference);
  }

  /** The pushes and references of a client's accounts with an identifier or a reference, the newest first. */
  found(clientId: string, column: 'order_id' | 'reference', value: string): (Push | Reference)[] {
    const pushes = `SELECT * FROM pushes WHERE acquirer = 'eupago' AND mbway_key IN (${CLIENT_KEYS})
      AND ${column} = ? ORDER BY id DESC LIMIT ${ROWS_MAX}`;
    const references = `SELECT * FROM multibanco_references WHERE acquirer = 'eupago' AND mb_key IN (${CLIENT_KEYS})
      AND ${column} = ? ORDER BY created_at DESC LIMIT ${ROWS_MAX}`;
    return [pushes, references].flatMap((sql) => this.#sql.all<Push | Reference>(sql, clientId, value));
  }

  paymentsOf(apiKey: string, reference: string): Payment[] {
    const sql = `SELECT * FROM payments WHERE acquirer = 'eupago' AND sub_entity = ? AND reference = ?
      ORDER BY id LIMIT ${ROWS_MAX}`;
    return this.#sql.all(sql, apiKey, reference);
  }

  /** The payments of a client's accounts since `from`, the newest first. */
  paymentsSince(clientId: string, from: number): Payment[] {
    const sql = `SELECT * FROM payments WHERE acquirer = 'eupago' AND sub_entity IN (${CLIENT_KEYS})
      AND paid_at >= ? ORDER BY id DESC LIMIT ${ROWS_MAX}`;
    return this.#sql.all(sql, clientId, from);
  }

  /** A payment to one of a client's accounts. */
  paymentOf(clientId: string, trid: string): Payment | undefined {
    const sql = `SELECT * FROM payments WHERE acquirer = 'eupago' AND sub_entity IN (${CLIENT_KEYS}) AND request_id = ?`;
    return this.#sql.get(sql, clientId, trid);
  }

  /** The payment of a refund to one of a client's accounts. */
  refundedPayment(clientId: string, refundId: string): Payment | undefined {
    const sql = `SELECT payments.* FROM payments JOIN refunds ON refunds.payment_id = payments.id
      WHERE acquirer = 'eupago' AND sub_entity IN (${CLIENT_KEYS}) AND refunds.id = ?`;
    return this.#sql.get(sql, clientId, Number(refundId));
  }
}
