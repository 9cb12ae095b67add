import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MIGRATIONS, type Migration, migrate, SCHEMA_VERSION } from '../../src/db/migrate.ts';
import { openSqlite } from '../../src/db/sqlite/open.ts';
import { sqliteFile, temporaryFolder } from '../support/database.ts';

test('a failed migration leaves the old schema, and the next start completes it', async () => {
  const { file, db } = await sqliteFile();
  const handle = new Sqlite(file, { readonly: true });
  const before = shapes(handle);
  const next = (indexed: string): Migration => ({
    name: '9999-next',
    async up(schema) {
      await schema.schema.createTable('later').addColumn('id', 'text').execute();
      await schema.schema.alterTable('merchants').addColumn('later', 'text').execute();
      await schema.schema.createIndex('later_by_id').on(indexed).column('id').execute();
    },
  });
  await expect(migrate(db, [...MIGRATIONS, next('missing')])).rejects.toThrow('missing');
  expect(shapes(handle)).toEqual(before);
  const { applied } = await migrate(db, [...MIGRATIONS, next('later')]);
  expect(applied).toEqual(['9999-next']);
  expect(shapes(handle).has('later')).toBe(true);
  handle.close();
});

interface Shape {
  columns: Map<string, { type: string; notnull: number; dflt_value: string | null }>;
  /** Unique keys and indexes: columns, and whether only some rows count. */
  uniques: { columns: string[]; partial: boolean }[];
}

function shapes(handle: Sqlite.Database): Map<string, Shape> {
  const names = handle
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
    .pluck()
    .all() as string[];
  return new Map(
    names.map((table) => {
      const columns = handle
        .prepare(`select name, type, "notnull", dflt_value from pragma_table_info(?)`)
        .all(table) as { name: string; type: string; notnull: number; dflt_value: string | null }[];
      const indexes = handle
        .prepare('select name, partial from pragma_index_list(?) where "unique" = 1')
        .all(table) as { name: string; partial: number }[];
      const uniques = indexes.map(({ name, partial }) => ({
        columns: handle.prepare('select name from pragma_index_info(?)').pluck().all(name) as string[],
        partial: partial === 1,
      }));
      return [table, { columns: new Map(columns.map(({ name, ...rest }) => [name, rest])), uniques }];
    }),
  );
}

/** The changes that break a program of the schema before. */
function tightened(before: Map<string, Shape>, after: Map<string, Shape>): string[] {
  const faults: string[] = [];
  for (const [table, old] of before) {
    const now = after.get(table);
    if (now === undefined) {
      faults.push(`${table} is gone`);
      continue;
    }
    for (const [name, column] of old.columns) {
      const kept = now.columns.get(name);
      if (kept?.type !== column.type || kept.notnull !== column.notnull)
        faults.push(`${table}.${name} changed`);
    }
    for (const [name, { notnull, dflt_value }] of now.columns) {
      if (!old.columns.has(name) && notnull === 1 && dflt_value === null)
        faults.push(`${table}.${name} is required`);
    }
    const has = (all: Shape['uniques'], one: Shape['uniques'][number]) =>
      all.some(({ columns, partial }) => columns.join() === one.columns.join() && partial === one.partial);
    for (const unique of old.uniques) {
      // What it writes "on conflict" of must still be a key.
      if (!has(now.uniques, unique)) faults.push(`${table} (${unique.columns}) is no key any more`);
    }
    for (const unique of now.uniques) {
      if (!has(old.uniques, unique) && !unique.partial)
        faults.push(`${table} (${unique.columns}) is a new key`);
    }
  }
  return faults;
}

test('a migration that breaks earlier versions declares the oldest compatible version', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const db = openSqlite(file);
  const handle = new Sqlite(file, { readonly: true });
  const first = SCHEMA_VERSION - MIGRATIONS.length + 1;
  /** Triggers, which serve the programs before them, and the version that made each. */
  const triggers = new Map<string, number>();
  let before = shapes(handle);
  for (const [place, migration] of MIGRATIONS.entries()) {
    const version = first + place;
    await migrate(db, MIGRATIONS.slice(0, place + 1));
    const after = shapes(handle);
    const faults = tightened(before, after);
    const needed = faults.length > 0 ? [version] : [];
    const present = handle.prepare(`select name from sqlite_master where type = 'trigger'`).pluck().all();
    for (const [name, since] of triggers) {
      if (present.includes(name)) continue;
      needed.push(since);
      triggers.delete(name);
    }
    for (const name of present) triggers.set(String(name), triggers.get(String(name)) ?? version);
    expect(migration.knownMin ?? 0, `${migration.name}: ${faults}`).toBe(Math.max(0, ...needed));
    before = after;
  }
  handle.close();
  await db.close();
});
