import type Sqlite from 'better-sqlite3';
import {
  type CompiledQuery,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
} from 'kysely';
import type { Tables } from '../tables/tables.ts';

const STATEMENTS_MAX = 500;

/**
 * Kysely over one handle, without Kysely's lock around a single connection: a query runs at once. `beforeQuery` runs before each
 * query. `SharedCommits` makes the transactions, not Kysely.
 */
export function kyselyOf(handle: Sqlite.Database, beforeQuery: () => void = () => {}): Kysely<Tables> {
  const dialect = new SqliteDialect({ database: handle });
  const executor = new Executor(handle, beforeQuery);
  return new Kysely({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
}

/** Runs compiled queries on the handle. Keeps prepared statements, because preparing is most of the cost of a small query. */
class Executor extends DefaultQueryExecutor {
  readonly #handle: Sqlite.Database;
  readonly #beforeQuery: () => void;
  readonly #statements = new Map<string, Sqlite.Statement>();

  constructor(handle: Sqlite.Database, beforeQuery: () => void) {
    super(new Compiler(), new SqliteAdapter(), {
      provideConnection: () => Promise.reject(new Error('use Database.unit for transactions')),
    });
    this.#handle = handle;
    this.#beforeQuery = beforeQuery;
  }

  override async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    this.#beforeQuery();
    const statement = this.#statement(sql);
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
  }

  /** Returns itself: it has no plugins. */
  override withoutPlugins(): this {
    return this;
  }

  #statement(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    const statement = this.#handle.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * Writes parameters as `+?`. SQLite compiles a statement again whenever a bare parameter's value changes, in case its statistics lead
 * to another plan; this database has none. The sign changes no value of any type.
 */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}
