import Sqlite from 'better-sqlite3';

/** The number of inserted, updated and deleted rows by `table insert` and so on, without zeros. */
export type RowChanges = Record<string, number>;

export interface RowAudit {
  /** What was committed since the last call. */
  changes(): RowChanges;
  /** The first row of a query. */
  row(query: string, ...values: unknown[]): Record<string, unknown> | undefined;
  close(): void;
}

/** Columns that are written in the background. */
const UNWATCHED = new Set(['api_keys.last_used_at']);

/**
 * Counts every committed row change in a service's database with triggers that a second connection creates. An update
 * without a changed value is not counted.
 */
export function auditRows(file: string): RowAudit {
  const handle = new Sqlite(file, { timeout: 5000 });
  const tables = handle
    .prepare<[], { name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
    )
    .all();
  handle.exec('create table row_audit (kind text primary key, count integer not null) without rowid');
  for (const { name } of tables) {
    const columns = handle
      .prepare<[string], { name: string }>('select name from pragma_table_info(?)')
      .all(name)
      .map((column) => column.name)
      .filter((column) => !UNWATCHED.has(`${name}.${column}`));
    const differs = columns.map((column) => `old."${column}" is not new."${column}"`).join(' or ');
    for (const verb of ['insert', 'update', 'delete']) {
      const kind = `${name} ${verb}`;
      handle.exec(`insert into row_audit values ('${kind}', 0);
        create trigger "audit ${kind}" after ${verb} on "${name}" ${verb === 'update' ? `when ${differs}` : ''}
        begin update row_audit set count = count + 1 where kind = '${kind}'; end`);
    }
  }
  const counts = handle.prepare<[], { kind: string; count: number }>('select kind, count from row_audit');
  const read = () => new Map(counts.all().map(({ kind, count }) => [kind, count]));
  let before = read();
  return {
    changes() {
      const now = read();
      const changed = [...now].map(([kind, count]): [string, number] => [
        kind,
        count - (before.get(kind) ?? 0),
      ]);
      before = now;
      return Object.fromEntries(changed.filter(([, count]) => count !== 0));
    },
    row: (query, ...values) => handle.prepare<unknown[], Record<string, unknown>>(query).get(...values),
    close: () => handle.close(),
  };
}
