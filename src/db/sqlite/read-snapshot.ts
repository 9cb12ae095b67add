import type Sqlite from 'better-sqlite3';

/**
 * One read transaction for the reads of one turn of the event loop. It begins at the end of the turn of the first read, so that
 * concurrent calls share it, because the file lock and the resumption of each caller cost more than a lookup. It ends after the
 * reads that follow immediately, or when this process commits, so that every later read sees the commit.
 */
export class ReadSnapshot {
  readonly #handle: Sqlite.Database;
  readonly #begin: Sqlite.Statement;
  readonly #end: Sqlite.Statement;
  #opening: Promise<void> | null = null;
  #open = false;
  readonly #results = new Map<string, unknown>();

  constructor(handle: Sqlite.Database) {
    this.#handle = handle;
    this.#begin = handle.prepare('BEGIN');
    this.#end = handle.prepare('COMMIT');
  }

  /** Null while the snapshot is open, otherwise a promise that resolves when it is. Rejects with the error of SQLite. */
  opened(): Promise<void> | null {
    if (this.#open) return null;
    this.#opening ??= new Promise<void>((resolve, reject) => {
      // Code that awaits the promise runs between the two callbacks.
      setImmediate(() => {
        this.#opening = null;
        try {
          this.#begin.run();
          this.#open = true;
          resolve();
        } catch (error) {
          reject(error);
        }
      });
      setImmediate(() => this.end());
    });
    return this.#opening;
  }

  /** The result of `read`, or of an earlier read with the same key in this snapshot. */
  once(key: string, read: () => unknown): unknown {
    const known = this.#results.get(key);
    if (known !== undefined) return known;
    const result = read();
    this.#results.set(key, result);
    return result;
  }

  /** Ends the snapshot; the next read takes a new one. */
  end(): void {
    this.#open = false;
    this.#results.clear();
    if (this.#handle.open && this.#handle.inTransaction) this.#end.run();
  }
}
