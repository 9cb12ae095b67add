import type { Queued } from './schema.ts';
import type { Statements } from './statements.ts';

/** The callbacks in one table that are to be sent. */
export class CallbackStore<Callback extends Queued> {
  readonly #sql: Statements;
  readonly #table: 'callbacks' | 'eupago_notifications';

  constructor(sql: Statements, table: 'callbacks' | 'eupago_notifications') {
    this.#sql = sql;
    this.#table = table;
  }

  add(callback: Omit<Callback, 'id' | 'attempts'> & { due_at: number }): void {
    this.#sql.insert(this.#table, { ...callback, attempts: 0 });
  }

  /** Callbacks that are due, the earliest first. */
  due(now: number, limit: number): Callback[] {
    const sql = `SELECT * FROM ${this.#table} WHERE due_at <= ? ORDER BY due_at, id LIMIT ?`;
    return this.#sql.all(sql, now, limit);
  }

  nextAt(): number | null {
    return this.#sql.instant(`SELECT min(due_at) AS at FROM ${this.#table}`);
  }

  postpone(id: number, attempts: number, dueAt: number): void {
    const sql = `UPDATE ${this.#table} SET attempts = ?, due_at = ? WHERE id = ?`;
    this.#sql.change(sql, attempts, dueAt, id);
  }

  remove(id: number): void {
    this.#sql.change(`DELETE FROM ${this.#table} WHERE id = ?`, id);
  }
}
