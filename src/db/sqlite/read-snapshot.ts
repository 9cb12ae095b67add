import type Sqlite from 'better-sqlite3';

/**
 * One read transaction for all reads of one turn of the event loop: taking and dropping the file lock costs more than a look-up.
 * It ends with the turn, or when this process commits, so every later read sees that commit.
 */
export class ReadSnapshot {
  readonly #handle: Sqlite.Database;
  readonly #begin: Sqlite.Statement;
  readonly #end: Sqlite.Statement;

  constructor(handle: Sqlite.Database) {
    this.#handle = handle;
    this.#begin = handle.prepare('BEGIN');
    this.#end = handle.prepare('COMMIT');
  }

  /** Begins the snapshot unless one is open. */
  begin(): void {
    if (this.#handle.inTransaction) return;
    this.#begin.run();
    setImmediate(() => this.end());
  }

  /** Ends the snapshot; the next read takes a new one. */
  end(): void {
    if (this.#handle.open && this.#handle.inTransaction) this.#end.run();
  }
}
