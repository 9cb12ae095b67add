import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';

/** The number of inserted, updated and deleted rows by `table insert` and so on, without zeros. */
export type RowChanges = Record<string, number>;

export type RowAudit = Awaited<ReturnType<typeof auditRows>>;

const VERBS = ['insert', 'update', 'delete'] as const;
/** Columns that are written in the background. */
const UNWATCHED = new Set(['api_keys.last_used_at']);

/**
 * Counts every committed row change in a service's database, apart from its search index, with triggers that a second connection creates.
 * An update without a changed value is not counted.
 */
export async function auditRows(url: string) {
  const db = await openDatabase(url);
  const run = (statement: string) => db.unit((tx) => sql.raw(statement).execute(tx));
  await run('create table row_audit (kind text not null)');
  if (db.engine === 'postgres') await run(COUNT_FUNCTION);
  for (const { name, columns } of await db.read.introspection.getTables()) {
    if (name === 'row_audit' || name.startsWith('search_')) continue;
    const watched = columns.filter((column) => !UNWATCHED.has(`${name}.${column.name}`));
    const differs = watched.map((column) => `old."${column.name}" is distinct from new."${column.name}"`);
    for (const verb of VERBS) {
      const when = verb === 'update' ? `when (${differs.join(' or ')})` : '';
      await run(`create trigger "audit ${name} ${verb}" after ${verb} on "${name}" for each row ${when}
        ${counting(db.engine, `${name} ${verb}`)}`);
    }
  }
  return {
    /** What was committed since the last call. */
    async changes(): Promise<RowChanges> {
      const { rows } = await db.unit((tx) =>
        sql<{ kind: string }>`delete from row_audit returning kind`.execute(tx),
      );
      const changes: RowChanges = {};
      for (const { kind } of rows) changes[kind] = (changes[kind] ?? 0) + 1;
      return changes;
    },
    /** The first row of a query with one parameter, which stands between the two parts. */
    async row([before, after]: readonly [string, string], value: unknown) {
      const query = sql<Record<string, unknown>>`${sql.raw(before)}${value}${sql.raw(after)}`;
      return (await query.execute(db.read)).rows[0];
    },
    async close() {
      if (db.engine === 'postgres') await run('drop function count_row() cascade; drop table row_audit');
      await db.close();
    },
  };
}

/** On PostgreSQL a trigger calls a function, whose argument is the kind. */
const COUNT_FUNCTION = `create function count_row() returns trigger language plpgsql as $$
  begin insert into row_audit values (tg_argv[0]); return null; end $$`;

function counting(engine: Database['engine'], kind: string): string {
  return engine === 'postgres'
    ? `execute function count_row('${kind}')`
    : `begin insert into row_audit values ('${kind}'); end`;
}
