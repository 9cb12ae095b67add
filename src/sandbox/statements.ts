import type Sqlite from 'better-sqlite3';

/** Runs SQL on the sandbox's file, and prepares each text once. */
export class Statements {
  readonly #db: Sqlite.Database;
  readonly #prepared = new Map<string, Sqlite.Statement<unknown[]>>();

  constructor(db: Sqlite.Database) {
    this.#db = db;
  }

  get<Row>(sql: string, ...values: unknown[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: unknown[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** Returns the number of rows that changed. */
  change(sql: string, ...values: unknown[]): number {
    return this.#prepare(sql).run(...values).changes;
  }

  insert(table: string, row: object, onConflict = ''): Sqlite.RunResult {
    const columns = Object.keys(row);
    const values = columns.map((column) => `@${column}`);
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')}) ${onConflict}`;
    return this.#prepare(sql).run(row);
  }

  /** Inserts a row, or replaces the values of the row with its key. */
  upsert(table: string, row: object): void {
    const values = Object.keys(row).map((column) => `${column} = excluded.${column}`);
    this.insert(table, row, `ON CONFLICT DO UPDATE SET ${values.join(', ')}`);
  }

  /** The instant in the column `at`. */
  instant(sql: string, ...values: unknown[]): number | null {
    return this.get<{ at: number | null }>(sql, ...values)?.at ?? null;
  }

  #prepare(sql: string): Sqlite.Statement<unknown[]> {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
