import Sqlite from 'better-sqlite3';
import type { Insertable } from 'kysely';
import type { Tables } from '../../src/db/tables/tables.ts';

const ROWS_A_TURN = 4000;

/** Puts many rows into the file, fast: it may be made anew at any time, so that a power cut need not be survived. */
export class Writer {
  readonly #file: Sqlite.Database;

  constructor(file: string) {
    this.#file = new Sqlite(file);
    this.#file.pragma('journal_mode = WAL');
    this.#file.pragma('synchronous = OFF');
    this.#file.pragma('foreign_keys = ON');
  }

  /** Inserts rows, all of which have the same columns; tells how far it is after each few thousand. */
  insert<K extends keyof Tables & string>(
    table: K,
    rows: readonly Insertable<Tables[K]>[],
    progress: (done: number) => void = () => {},
  ): void {
    const [first] = rows;
    if (first === undefined) return;
    const columns = Object.keys(first);
    const statement = this.#file.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((name) => `@${name}`).join(', ')})`,
    );
    const insertAll = this.#file.transaction((some: readonly object[]) => {
      for (const row of some) statement.run(row);
    });
    for (let from = 0; from < rows.length; from += ROWS_A_TURN) {
      const some = rows.slice(from, from + ROWS_A_TURN);
      insertAll(some);
      progress(some.length);
    }
  }

  /** Notes of each merchant when its first payment was announced. */
  firstPaid(events: readonly Pick<Tables['events'], 'merchant_id' | 'kind' | 'created_at'>[]): void {
    const statement = this.#file.prepare(
      'update merchants set first_paid_at = min(coalesce(first_paid_at, @at), @at) where id = @id',
    );
    for (const { merchant_id: id, kind, created_at: at } of events) {
      if (kind === 'payment.success') statement.run({ id, at });
    }
  }

  /** Lets the engine look at the rows, so that it knows which index serves what, and closes the file whole. */
  close(): void {
    this.#file.exec('analyze');
    this.#file.pragma('wal_checkpoint(TRUNCATE)');
    this.#file.close();
  }
}
