import type Sqlite from 'better-sqlite3';
import {
  type CompiledQuery,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
} from 'kysely';
import type { SnapshotQuery } from '../prepared.ts';
import type { Tables } from '../tables/tables.ts';
import type { ReadSnapshot } from './read-snapshot.ts';

const STATEMENTS_MAX = 500;

/**
 * Kysely over one handle, without Kysely's mutex for a single connection: a query runs immediately, or in `snapshot` once it is
 * open. `SharedCommits` manages the transactions, not Kysely.
 */
export function kyselyOf(handle: Sqlite.Database, snapshot: ReadSnapshot | null = null): Kysely<Tables> {
  const dialect = new SqliteDialect({ database: handle });
  const executor = new Executor(handle, snapshot);
  return new Kysely({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
}

/** Runs compiled queries on the handle. Keeps prepared statements, because preparing is most of the cost of a small query. */
class Executor extends DefaultQueryExecutor {
  readonly #handle: Sqlite.Database;
  readonly #snapshot: ReadSnapshot | null;
  readonly #statements = new Map<string, Sqlite.Statement>();

  constructor(handle: Sqlite.Database, snapshot: ReadSnapshot | null) {
    super(new Compiler(), new SqliteAdapter(), {
      provideConnection: () => Promise.reject(new Error('use Database.unit for transactions')),
    });
    this.#handle = handle;
    this.#snapshot = snapshot;
  }

  override async executeQuery<R>(query: CompiledQuery & SnapshotQuery): Promise<QueryResult<R>> {
    const opening = this.#snapshot?.opened();
    if (opening) await opening;
    if (this.#snapshot === null || query.oncePerSnapshot !== true) return this.#run(query);
    const key = `${query.parameters.join()} ${query.sql}`;
    return this.#snapshot.once(key, () => this.#run(query)) as QueryResult<R>;
  }

  #run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
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
 * Writes parameters as `+?`. SQLite recompiles a statement whenever a bare parameter's value changes, in case its statistics
 * favour another plan; this database has no statistics. The sign changes no value of any type.
 */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }

  /** Leaves out row locks, for which SQLite has no syntax. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}
