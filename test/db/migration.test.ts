import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { MIGRATIONS, type Migration, migrate } from '../../src/db/migrate.ts';
import * as m0001 from '../../src/db/migrations/0001-init.ts';
import { openDatabase } from '../../src/db/open.ts';
import { openSqlite } from '../../src/db/sqlite/open.ts';
import { temporaryFolder } from '../support/database.ts';

/** A database as the first schema made it. */
async function firstSchema(file: string): Promise<Sqlite.Database> {
  const db = openSqlite(file);
  await db.unit((tx) => m0001.up(tx as unknown as Kysely<unknown>));
  await db.close();
  const handle = new Sqlite(file);
  handle.exec(`
    create table meta (key text primary key not null, value text not null);
    insert into meta values ('schema_version', '1');
    insert into merchants (id, name, active, hold, webhook_enabled, webhook_secret, created_at)
      values ('mer_1', 'One', 1, 0, 1, 'encrypted', 1), ('mer_2', 'Two', 1, 0, 1, 'encrypted', 1);
  `);
  return handle;
}

test('a database of the first schema is brought up to date with its rows, and its events are numbered', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const old = await firstSchema(file);
  const event = old.prepare(
    `insert into events (id, merchant_id, kind, body, created_at) values (?, ?, 'webhook.test', '{}', ?)`,
  );
  // The order of the instants, then of the ids.
  event.run('evt_3', 'mer_1', 5);
  event.run('evt_1', 'mer_1', 7);
  event.run('evt_2', 'mer_2', 6);
  event.run('evt_4', 'mer_1', 7);
  old
    .prepare(
      `insert into deliveries (id, event_id, merchant_id, kind, state, blocked, attempts_count, next_attempt_at, created_at)
       values ('dlv_1', 'evt_3', 'mer_1', 'webhook.test', 'due', 0, 1, 9, 5)`,
    )
    .run();
  old.exec(`insert into delivery_attempts (delivery_id, number, started_at) values ('dlv_1', 1, 4)`);
  old.close();

  const db = await openDatabase(`sqlite:${file}`);
  const events = await db.read.selectFrom('events').selectAll().orderBy('id').execute();
  expect(events.map(({ id, merchant_id, sequence }) => [id, merchant_id, sequence])).toEqual([
    ['evt_1', 'mer_1', 2],
    ['evt_2', 'mer_2', 1],
    ['evt_3', 'mer_1', 1],
    ['evt_4', 'mer_1', 3],
  ]);
  expect(await db.read.selectFrom('event_counters').selectAll().orderBy('merchant_id').execute()).toEqual([
    { merchant_id: 'mer_1', last_sequence: 3 },
    { merchant_id: 'mer_2', last_sequence: 1 },
  ]);
  expect(await db.read.selectFrom('deliveries').selectAll().executeTakeFirst()).toMatchObject({
    id: 'dlv_1',
    state: 'due',
    recovery_id: null,
  });
  expect(await db.read.selectFrom('delivery_attempts').selectAll().executeTakeFirst()).toMatchObject({
    delivery_id: 'dlv_1',
    merchant_id: 'mer_1',
  });
  expect(await db.read.selectFrom('merchants').selectAll().executeTakeFirst()).toMatchObject({
    webhook_secret: 'encrypted',
    previous_webhook_secret: null,
    previous_secret_until: null,
  });
  await db.close();
  // A second run has nothing to do and changes nothing.
  const again = await openDatabase(`sqlite:${file}`);
  expect(await again.read.selectFrom('events').selectAll().orderBy('id').execute()).toEqual(events);
  await again.close();
});

test('a failed migration leaves the old schema, and the next start completes it', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const db = await openDatabase(`sqlite:${file}`);
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
  await db.close();
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
  let before = shapes(handle);
  for (const [place, migration] of MIGRATIONS.entries()) {
    await migrate(db, MIGRATIONS.slice(0, place + 1));
    const after = shapes(handle);
    const faults = tightened(before, after);
    if (migration.knownMin === undefined) expect(faults, migration.name).toEqual([]);
    else expect([faults.length > 0, migration.knownMin], migration.name).toEqual([true, place + 1]);
    before = after;
  }
  handle.close();
  await db.close();
});
