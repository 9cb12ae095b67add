import type Sqlite from 'better-sqlite3';
import type { Queryable } from '../database.ts';
import { kyselyOf } from './kysely.ts';

/**
 * Runs `Database.snapshot` on its own connection, because the reads of another see each commit. One at a time: their reads never
 * wait, and a connection for each would read the schema again and keep its file open until the database closes.
 */
export class SerialSnapshots {
  readonly #handle: Sqlite.Database;
  readonly #db: Queryable;
  #last: Promise<unknown> = Promise.resolve();

  constructor(handle: Sqlite.Database) {
    this.#handle = handle;
    this.#db = kyselyOf(handle);
  }

  run<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#run(work));
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when the snapshots have ended. */
  async drain(): Promise<void> {
    await this.#last;
  }

  async #run<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    this.#handle.exec('BEGIN');
    try {
      return await work(this.#db);
    } finally {
      if (this.#handle.inTransaction) this.#handle.exec('COMMIT');
    }
  }
}
