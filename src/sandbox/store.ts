import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { errorCode, errorText, OperatorError } from '../kernel/errors.ts';
import type { Cents } from '../kernel/money.ts';
import { CallbackStore } from './callback-store.ts';
import { EupagoStore } from './eupago/store.ts';
import {
  type Activation,
  ADDED_COLUMNS,
  type Callback,
  type Mail,
  type Payment,
  type Push,
  type PushState,
  type Reference,
  type Refund,
  type RefundRows,
  SCHEMA,
} from './schema.ts';
import { Statements } from './statements.ts';

const BUSY_TIMEOUT_MS = 2000;
const OPEN_TRIES = 10;
const MAILS_KEPT = 1000;

const CONDITIONS = {
  entity: 'entity = @entity',
  anyReference: `entity <> 'MBWAY'`,
  subEntity: 'sub_entity = @subEntity',
  reference: 'reference = @reference',
  orderId: 'order_id = @orderId',
  requestId: 'request_id = @requestId',
  amount: 'amount_cents = @amount',
  fromLocal: 'paid_local >= @fromLocal',
  toLocal: 'paid_local <= @toLocal',
};

/** Exact matches. The two times are sortable Lisbon texts, both inclusive. */
export type PaymentFilter = Partial<Record<keyof typeof CONDITIONS, string | number | undefined>>;

// A backoffice key sees the method keys that are activated under it, and those that are not activated at all.
const VISIBLE = `acquirer = 'ifthenpay' AND (sub_entity IN (SELECT sub_entity FROM activations WHERE backoffice_key = @backofficeKey)
  OR sub_entity NOT IN (SELECT sub_entity FROM activations))`;

/** Creates the tables, and the columns that files of older versions lack. */
function createSchema(db: Sqlite.Database): void {
  db.exec(SCHEMA);
  for (const { table, column, definition } of ADDED_COLUMNS) {
    const columns = db.pragma(`table_info(${table})`) as { name: string }[];
    if (columns.some(({ name }) => name === column)) continue;
    db.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${definition}`);
  }
}

/** Several processes may create the file at once. SQLite waits for their transactions, but not to change the journal mode. */
function prepare(db: Sqlite.Database, tries = OPEN_TRIES): void {
  db.transaction(createSchema).immediate(db);
  try {
    db.pragma('journal_mode = WAL');
  } catch (error) {
    if (errorCode(error) !== 'SQLITE_BUSY' || tries === 1) throw error;
    prepare(db, tries - 1);
  }
}

export class Store {
  readonly eupago: EupagoStore;
  readonly callbacks: CallbackStore<Callback>;
  readonly #db: Sqlite.Database;
  readonly #sql: Statements;

  /** Opens the file, creating it and its folder if necessary. Throws OperatorError when that fails. */
  constructor(file: string) {
    let db: Sqlite.Database | null = null;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      closeSync(openSync(file, 'a', 0o600));
      db = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
      db.pragma('synchronous = NORMAL');
      prepare(db);
    } catch (error) {
      db?.close();
      throw new OperatorError(
        `the sandbox bank cannot open its file ${file}: ${errorText(error)}; make it writable or move it away`,
      );
    }
    this.#db = db;
    this.#sql = new Statements(db);
    this.eupago = new EupagoStore(this.#sql);
    this.callbacks = new CallbackStore(this.#sql, 'callbacks');
  }

  get isOpen(): boolean {
    return this.#db.open;
  }

  close(): void {
    this.#db.close();
  }

  atomically<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  /** Resolves to null when the request id exists already. */
  insertPush(push: Omit<Push, 'id'>): Push | null {
    const { changes, lastInsertRowid } = this.#sql.insert('pushes', push, 'ON CONFLICT DO NOTHING');
    return changes === 1 ? { id: Number(lastInsertRowid), ...push } : null;
  }

  pushByRequest(requestId: string): Push | undefined {
    return this.#sql.get('SELECT * FROM pushes WHERE request_id = ?', requestId);
  }

  /** The newest pushes of one phone, or of all. */
  recentPushes(phoneNumber: string | null, limit: number): Push[] {
    if (phoneNumber === null) return this.#sql.all('SELECT * FROM pushes ORDER BY id DESC LIMIT ?', limit);
    const sql = 'SELECT * FROM pushes WHERE phone_number = ? ORDER BY id DESC LIMIT ?';
    return this.#sql.all(sql, phoneNumber, limit);
  }

  /** The newest pending push of the phone created after `after`. */
  newestOpenPush(phoneNumber: string, after: number): Push | undefined {
    const open = `phone_number = ? AND state = 'pending' AND created_at > ?`;
    return this.#sql.get(`SELECT * FROM pushes WHERE ${open} ORDER BY id DESC LIMIT 1`, phoneNumber, after);
  }

  /** Moves a pending push to its final state and cancels its planned action. False when it is final already. */
  closePush(id: number, state: PushState, at: number): boolean {
    const final = 'state = ?, updated_at = ?, action = NULL, action_at = NULL';
    return (
      this.#sql.change(`UPDATE pushes SET ${final} WHERE id = ? AND state = 'pending'`, state, at, id) === 1
    );
  }

  /** Pushes whose planned action is due, the earliest first. */
  dueActions(now: number, limit: number): Push[] {
    const due = 'action IS NOT NULL AND action_at <= ?';
    return this.#sql.all(`SELECT * FROM pushes WHERE ${due} ORDER BY action_at, id LIMIT ?`, now, limit);
  }

  nextActionAt(): number | null {
    return this.#sql.instant('SELECT min(action_at) AS at FROM pushes WHERE action IS NOT NULL');
  }

  /** Makes actions due that waited for an answer interrupted by a restart. */
  releaseWaitingActions(now: number): void {
    this.#sql.change('UPDATE pushes SET action_at = ? WHERE action IS NOT NULL AND action_at IS NULL', now);
  }

  /** Resolves to false when the reference or the request id exists already. */
  insertReference(reference: Reference): boolean {
    return this.#sql.insert('multibanco_references', reference, 'ON CONFLICT DO NOTHING').changes === 1;
  }

  findReference(entity: string, reference: string): Reference | undefined {
    const sql = 'SELECT * FROM multibanco_references WHERE entity = ? AND reference = ?';
    return this.#sql.get(sql, entity, reference);
  }

  insertPayment(payment: Omit<Payment, 'id' | 'refunded_cents'>): number {
    return Number(this.#sql.insert('payments', payment).lastInsertRowid);
  }

  paymentById(id: number): Payment | undefined {
    return this.#sql.get('SELECT * FROM payments WHERE id = ?', id);
  }

  /** Payments that the backoffice key may see, the newest first. */
  listPayments(backofficeKey: string, filter: PaymentFilter, limit: number): Payment[] {
    const used = Object.entries(CONDITIONS).filter(
      ([key]) => filter[key as keyof PaymentFilter] !== undefined,
    );
    const where = [VISIBLE, ...used.map(([, condition]) => condition)].join(' AND ');
    const sql = `SELECT * FROM payments WHERE ${where} ORDER BY id DESC LIMIT @limit`;
    return this.#sql.all(sql, { ...filter, backofficeKey, limit });
  }

  /** Adds a refund. False when it exceeds the rest of the payment. */
  refundPayment(id: number, amount: Cents): boolean {
    const sql = `UPDATE payments SET refunded_cents = refunded_cents + @amount
      WHERE id = @id AND refunded_cents + @amount <= amount_cents`;
    return this.#sql.change(sql, { id, amount }) === 1;
  }

  saveActivation(activation: Activation): void {
    this.#sql.upsert('activations', activation);
  }

  /** The newest activation for a payment of this entity and method key. */
  findActivation(entity: string, subEntity: string): Activation | undefined {
    return this.#sql.get(
      `SELECT * FROM activations WHERE sub_entity = ? AND entity IN (?, ?)
        ORDER BY activated_at DESC, rowid DESC LIMIT 1`,
      subEntity,
      entity,
      entity === 'MBWAY' ? 'MBWAY' : 'MB',
    );
  }

  insertRefund(refund: Omit<Refund, 'id'>): number {
    return Number(this.#sql.insert('refunds', refund).lastInsertRowid);
  }

  refundById(id: number): Refund | undefined {
    return this.#sql.get('SELECT * FROM refunds WHERE id = ?', id);
  }

  refundsOf(paymentId: number): Refund[] {
    return this.#sql.all('SELECT * FROM refunds WHERE payment_id = ? ORDER BY id DESC', paymentId);
  }

  lastRefundAt(paymentId: number): number | null {
    return this.#sql.instant('SELECT max(refunded_at) AS at FROM refunds WHERE payment_id = ?', paymentId);
  }

  /** The form of refunds in the list. */
  refundRows(): RefundRows {
    const sql = "SELECT value FROM settings WHERE name = 'refund-rows'";
    return this.#sql.get<{ value: RefundRows }>(sql)?.value ?? 'unchanged';
  }

  saveRefundRows(value: RefundRows): void {
    this.#sql.upsert('settings', { name: 'refund-rows', value });
  }

  /** Keeps a mail, and deletes the oldest beyond a thousand. */
  saveMail(mail: Omit<Mail, 'id'>): void {
    const { lastInsertRowid } = this.#sql.insert('mails', mail);
    this.#sql.change('DELETE FROM mails WHERE id <= ?', Number(lastInsertRowid) - MAILS_KEPT);
  }

  /** The newest mails of one recipient, or of all. */
  recentMails(recipient: string | null, limit: number): Mail[] {
    const sql = 'SELECT * FROM mails WHERE coalesce(?, recipient) = recipient ORDER BY id DESC LIMIT ?';
    return this.#sql.all(sql, recipient, limit);
  }

  saveFault(mode: string, times: number): void {
    this.#sql.upsert('faults', { mode, times });
  }

  /** Uses up and returns the first of these faults that is set, or returns null. */
  takeFault<Mode extends string>(modes: readonly Mode[]): Mode | null {
    const sql = 'UPDATE faults SET times = times - 1 WHERE mode = ? AND times > 0';
    return modes.find((mode) => this.#sql.change(sql, mode) === 1) ?? null;
  }
}
