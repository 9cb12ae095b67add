import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { writeMeta } from '../../src/db/meta.ts';
import { SCHEMA_VERSION } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { COPIED_TABLES } from '../../src/installation/copy/copied-tables.ts';
import { copyDatabase } from '../../src/installation/copy/copy.ts';
import { readMoved, writeMoved } from '../../src/installation/copy/move.ts';
import { nameOf, openSource } from '../../src/installation/copy/source-store.ts';
import { refusedHere, runHere } from '../cli/support.ts';
import { sqliteFile, temporaryFolder } from '../support/database.ts';
import { type Service, startService } from '../support/harness.ts';
import { until } from '../support/until.ts';

/** An installation with a paid and a pending transaction, stopped. */
async function installation(): Promise<{ folder: string; from: string }> {
  const folder = temporaryFolder();
  const closers: (() => void | Promise<void>)[] = [];
  const service: Service = await startService({ folder, whenOver: (close) => void closers.push(close) });
  const shop = await service.merchant();
  await shop.pay();
  await shop.init();
  await until(async () => {
    const due = service.app.deps.db.read.selectFrom('deliveries').select('id').where('state', '=', 'due');
    return (await due.execute()).length === 0;
  }, 'the delivery to end');
  for (const close of closers) await close();
  return { folder, from: `sqlite:${join(folder, 'service.db')}` };
}

const cli = (folder: string, ...args: string[]) => runHere(folder, [...args, '--json']);
const newFile = () => `sqlite:${join(temporaryFolder(), 'target.db')}`;

/** Runs a statement on a closed database. Returns the first value of its result. */
function firstValue(url: string, statement: string): unknown {
  const file = new Sqlite(url.slice('sqlite:'.length));
  const value = file.prepare(statement).pluck().get();
  file.close();
  return value;
}

test('every table except the counts of limits and the search index is copied, each after the tables that it references', async () => {
  const { file } = await sqliteFile();
  const handle = new Sqlite(file);
  const tables = handle
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'search_%'`,
    )
    .pluck()
    .all();
  const names: string[] = COPIED_TABLES.map(({ name }) => name);
  expect([...names, 'meta', 'post_counts', 'checkout_pushes'].sort()).toEqual(tables.sort());
  for (const [place, { name, key }] of COPIED_TABLES.entries()) {
    const parents = handle.prepare('select "table" from pragma_foreign_key_list(?)').pluck().all(name);
    for (const parent of parents as string[]) expect(names.slice(0, place), name).toContain(parent);
    const primary = handle
      .prepare('select name from pragma_table_info(?) where pk > 0 order by pk')
      .pluck()
      .all(name);
    expect(key, name).toEqual(primary);
    const cents = handle
      .prepare(`select name from pragma_table_info(?) where name like '%\\_cents' escape '\\'`)
      .pluck()
      .all(name);
    if (name !== 'bank_hints') expect(COPIED_TABLES[place]?.cents ?? [], name).toEqual(cents);
  }
  handle.close();
});

test('an installation is moved with every row, and only the new database is served afterwards', async () => {
  const { folder, from } = await installation();
  const to = newFile();
  const before = new Sqlite(from.slice('sqlite:'.length), { readonly: true });
  const counted = COPIED_TABLES.map(({ name }) => ({
    table: name,
    rows: before.prepare(`select count(*) from ${name}`).pluck().get(),
  }));
  before.close();
  const { code, stdout, stderr } = await cli(folder, 'copy', '--from', from, '--to', to);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Set SERVICE_DATABASE_URL')]);
  const answer = JSON.parse(stdout);
  expect(answer.tables.map(({ table, rows }: { table: string; rows: number }) => ({ table, rows }))).toEqual(
    counted,
  );
  expect(answer.tables).toContainEqual({ table: 'transactions', rows: 2, cents: 3998 });
  // The bank's list may have supplied the fee and the net amount, which add up to the amount again.
  const received = answer.tables.find(({ table }: { table: string }) => table === 'receipts');
  expect([1999, 3998]).toContain(received.cents);

  const again = await refusedHere(folder, ['copy', '--from', from, '--to', to]);
  expect(again).toMatch(/^--from: this installation was moved to /);
  expect(await refusedHere(folder, 'merchant list')).toMatch(
    /^SERVICE_DATABASE_URL: this installation was moved to the file /,
  );
  const moved = await refusedHere(folder, 'merchant list', { SERVICE_DATABASE_URL: to });
  // Another folder, another key made there: the copy stays encrypted by the old one.
  expect(moved).toMatch(/^SERVICE_SECRET_KEY does not open/);

  const undone = await cli(folder, 'copy', '--from', from, '--undo');
  expect([undone.code, undone.stderr]).toEqual([
    0,
    expect.stringContaining('Do not run a service on the copy'),
  ]);
  expect((await cli(folder, 'merchant', 'list')).code).toBe(0);
});

test('a database in use is not copied, and the service does not start on a database that is being copied', async () => {
  const { folder, from } = await installation();
  const service = await startService({ folder });
  const busy = await refusedHere(folder, ['copy', '--from', from, '--to', newFile()]);
  expect(busy).toMatch(/^--from: cannot use the database file .*another process has locked it; stop/);
  await service.app.close();
  const source = await openSource(from);
  await expect(startService({ folder })).rejects.toThrow('another process has locked it');
  // FULL: the source is closed on disk before the target is complete.
  expect((await sql`pragma synchronous`.execute(source.db)).rows).toEqual([{ synchronous: 2 }]);
  await source.close();
});

test('a non-empty target, a partial copy of another installation and a source with another schema are refused', async () => {
  const { folder, from } = await installation();
  const other = await installation();
  const refused = (...args: string[]) => refusedHere(folder, ['copy', ...args]);
  expect(await refused('--from', from, '--to', other.from)).toContain('--to: the database is not empty');
  const setSchema = (version: number) =>
    firstValue(
      other.from,
      `update meta set value = '${version}' where key = 'schema_version' returning value`,
    );
  setSchema(SCHEMA_VERSION - 1);
  expect(await refused('--from', from, '--to', other.from)).toContain('--to: the database is not empty');
  // It still serves the older version that it belongs to.
  expect(firstValue(other.from, `select value from meta where key = 'schema_version'`)).toBe(
    String(SCHEMA_VERSION - 1),
  );
  expect(await refused('--from', from, '--to', from)).toContain('--to is the database of --from');
  expect(await refused('--from', from)).toContain('--to is missing');
  expect(await refused('--from', from, '--undo')).toContain('this database was not copied');
  for (const url of ['mysql://secret@x', 'postgres://u:secret/1@x/db'])
    expect(await refused('--from', url, '--to', from)).not.toContain('secret');
  expect(await refused('--from', newFile(), '--to', newFile())).toMatch(
    /^--from: cannot use the database file/,
  );
  for (const [key, value, sentence] of [
    ['copy', '{"token":"other","tables":{}}', 'holds a part of another copy'],
    ['bank', 'real', '--to: the database is not empty'],
  ] as const) {
    const url = newFile();
    const target = await openDatabase(url);
    await target.unit((tx) => writeMeta(tx, key, value));
    await target.close();
    expect(await refused('--from', from, '--to', url)).toContain(sentence);
  }
  for (const version of [3, SCHEMA_VERSION + 1]) {
    firstValue(from, `update meta set value = '${version}' where key = 'schema_version' returning value`);
    expect(await refused('--from', from, '--to', newFile())).toContain(`has schema ${version}`);
  }
  // None of the refusals has closed the source.
  const left = new Sqlite(from.slice('sqlite:'.length));
  expect(left.prepare(`select value from meta where key = 'moved'`).all()).toEqual([]);
  left.close();
  expect(existsSync(from.slice('sqlite:'.length))).toBe(true);
});

test('a copy that differs by a single byte is not accepted', async () => {
  const { from } = await installation();
  const to = newFile();
  const source = await openSource(from);
  const target = await openDatabase(to);
  const copied = copyDatabase(source, target, {
    to: 'there',
    finish: async () => {},
    onProgress({ doing, table }) {
      if (doing !== 'copying' || table !== 'audit_log') return;
      const file = new Sqlite(to.slice('sqlite:'.length));
      file.exec(`update transactions set order_id = 'ORDER-2' where id = (select min(id) from transactions)`);
      file.close();
    },
  });
  await expect(copied).rejects.toThrow(
    /^--to: transactions differs: 2 rows, 3998 cents, checksum \w+ in place of 2 rows/,
  );
  await source.close();
  await target.close();
});

test.each([
  ['leaves only the first database usable', null],
  ['does not end the next move', { token: 'another', to: 'another database', complete: false }],
])('a move that is undone while it is being copied %s', async (_, next) => {
  const { folder, from } = await installation();
  const to = newFile();
  const source = await openSource(from);
  const target = await openDatabase(to);
  let undone: Promise<void> | undefined;
  const copied = copyDatabase(source, target, {
    to: nameOf(to),
    finish: async () => {},
    onProgress({ doing }) {
      // PostgreSQL does not lock the other terminal out.
      if (doing === 'comparing') undone ??= source.write((tx) => writeMoved(tx, next));
    },
  });
  await expect(copied).rejects.toThrow(/^--from: the move was undone/);
  await undone;
  expect(await readMoved(source.db)).toEqual(next);
  await Promise.all([source.close(), target.close()]);
  const refused = await refusedHere(folder, 'merchant list', { SERVICE_DATABASE_URL: to });
  expect(refused).toContain('a copy that is not complete');
  expect((await cli(folder, 'merchant', 'list')).code).toBe(next === null ? 0 : 1);
});

test('a move that is interrupted after the source is closed serves neither database, and the next run completes it', async () => {
  const { folder, from } = await installation();
  const to = newFile();
  const source = await openSource(from);
  const target = await openDatabase(to);
  const finish = () => Promise.reject(new Error('interrupted'));
  const move = copyDatabase(source, target, { to: nameOf(to), onProgress() {}, finish });
  await expect(move).rejects.toThrow('interrupted');
  await Promise.all([source.close(), target.close()]);
  for (const [url, sentence] of [
    [from, 'this installation was moved to the file '],
    [to, 'a copy that is not complete'],
  ] as const) {
    expect(await refusedHere(folder, 'merchant list', { SERVICE_DATABASE_URL: url })).toContain(sentence);
  }
  expect((await cli(folder, 'copy', '--from', from, '--to', to)).code).toBe(0);
});
