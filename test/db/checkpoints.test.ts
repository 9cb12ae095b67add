import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Checkpoints } from '../../src/db/sqlite/checkpoints.ts';
import { openSqlite } from '../../src/db/sqlite/open.ts';
import { temporaryFolder } from '../support/database.ts';
import { until } from '../support/until.ts';

const PAGE_BYTES = 4096;
/** What one transaction writes. */
const TRANSACTION_PAGES = 40;
const TRANSACTIONS = 1024;
/** Written without checking the log: together less than the distance between the two lengths below. */
const TRANSACTIONS_AT_ONCE = 64;
const THREAD_BEGINS_PAGES = 12_000;
const WRITER_BEGINS_PAGES = 32_000;
const WRITE = sql`insert into blobs (content) values (randomblob(${TRANSACTION_PAGES * PAGE_BYTES}))`;

/** SQLite's view of the log: its pages, and those already copied to the database file. */
function logOf(file: string): { log: number; checkpointed: number } {
  const handle = new Sqlite(file, { readonly: true });
  const [log] = handle.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
  handle.close();
  if (log === undefined) throw new Error('SQLite did not report the log');
  return log;
}

test('a worker thread checkpoints the WAL during reads and writes, keeps it short, and the WAL is gone after close', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const failures: Error[] = [];
  const db = openSqlite(file, { checkpointThread: { failed: (error) => failures.push(error) } });
  await db.unit((tx) => sql`create table blobs (id integer primary key, content blob)`.execute(tx));
  let reading = true;
  const read = async () => {
    // Yields between reads, as calls do: within one turn of the event loop all reads use one snapshot.
    for (; reading; await setImmediate()) await sql`select max(id) from blobs`.execute(db.read);
  };
  const readers = [read(), read()];
  let longest = 0;
  for (let written = 1; written <= TRANSACTIONS; written++) {
    await db.unit((tx) => WRITE.execute(tx));
    longest = Math.max(longest, statSync(`${file}-wal`).size);
    if (written % TRANSACTIONS_AT_ONCE > 0) continue;
    const threadWorked = () => {
      const { log, checkpointed } = logOf(file);
      return log < THREAD_BEGINS_PAGES || checkpointed >= THREAD_BEGINS_PAGES;
    };
    await until(threadWorked, 'the thread to copy the log');
  }
  reading = false;
  await Promise.all(readers);
  // More than 40,000 pages were written, and the writer never had to copy the log itself.
  expect(longest).toBeLessThan(WRITER_BEGINS_PAGES * PAGE_BYTES);
  expect(failures).toEqual([]);
  await db.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  const handle = new Sqlite(file, { readonly: true });
  expect(handle.prepare('select count(*) from blobs').pluck().get()).toBe(TRANSACTIONS);
  expect(handle.pragma('integrity_check', { simple: true })).toBe('ok');
  handle.close();
});

test('no checkpoint thread, which takes memory, is started for a short log', async () => {
  let started = 0;
  const onWorker = () => started++;
  process.on('worker', onWorker);
  const order = { file: join(temporaryFolder(), 'none.db'), pages: 2 };
  const checkpoints = new Checkpoints(
    order,
    () => 2 * PAGE_BYTES - 1,
    () => {},
  );
  for (let commit = 0; commit < 100; commit++) checkpoints.committed();
  await setImmediate();
  process.off('worker', onWorker);
  await checkpoints.close();
  expect(started).toBe(0);
});

test('a failing checkpoint thread is reported once and blocks neither commits nor close', async () => {
  const failures: Error[] = [];
  const checkpoints = new Checkpoints(
    { file: join(temporaryFolder(), 'none.db'), pages: 1 },
    () => PAGE_BYTES,
    (error) => failures.push(error),
  );
  for (let commit = 0; commit < 100; commit++) checkpoints.committed();
  await until(() => failures.length > 0, 'the failure to be reported');
  expect(checkpoints.hold()).toBeNull();
  for (let commit = 0; commit < 100; commit++) checkpoints.committed();
  await checkpoints.close();
  expect(failures).toEqual([expect.objectContaining({ code: 'SQLITE_CANTOPEN' })]);
});

test('a process with a checkpoint thread exits by itself, with or without closing the database', () => {
  for (const end of ['', 'await db.close();']) {
    const program = `
      import { sql } from 'kysely';
      import { openSqlite } from '${join(import.meta.dirname, '../../src/db/sqlite/open.ts')}';
      const db = openSqlite('${join(temporaryFolder(), 'service.db')}', { checkpointThread: { failed(error) { throw error; } } });
      await db.unit((tx) => sql\`create table blobs (content blob)\`.execute(tx));
      // Together longer than the log at which the thread starts.
      for (let unit = 0; unit < 64; unit++) {
        await db.unit((tx) => sql\`insert into blobs values (randomblob(1048576))\`.execute(tx));
      }
      ${end}
      console.log('over');`;
    const said = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', program], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(said).toBe('over\n');
  }
});

test('the SQLite version is safe for a concurrent write and checkpoint', () => {
  const handle = new Sqlite(':memory:');
  const version = handle.prepare<[], string>('select sqlite_version()').pluck().get() ?? '';
  handle.close();
  // Until 3.51.2 that could damage the database: https://sqlite.org/wal.html#walresetbug.
  expect(version.localeCompare('3.51.3', 'en', { numeric: true })).toBeGreaterThanOrEqual(0);
});

test('the log is emptied once no other process reads, and units commit until then', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const db = openSqlite(file);
  await db.unit((tx) => sql`create table blobs (id integer primary key, content blob)`.execute(tx));
  const reader = new Sqlite(file, { readonly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from blobs').get();
  await db.unit((tx) => WRITE.execute(tx));
  let isDone = false;
  let emptied: Promise<unknown> | undefined;
  await db.unit(async (tx) => {
    emptied = db.emptyLog().then(() => {
      isDone = true;
    });
    await WRITE.execute(tx);
  });
  // The first try finds the reader.
  await setImmediate();
  await db.unit((tx) => WRITE.execute(tx));
  expect([isDone, db.logBytes()]).toEqual([false, expect.toSatisfy((bytes) => bytes > 0)]);
  reader.exec('commit');
  await emptied;
  expect(db.logBytes()).toBe(0);
  reader.close();
  await db.close();
});

test('the log is emptied between the commits of units that keep coming', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const db = openSqlite(file);
  await db.unit((tx) => sql`create table blobs (id integer primary key, content blob)`.execute(tx));
  let unitsLeft = 500;
  const units = async () => {
    for (; unitsLeft > 0; unitsLeft--) await db.unit((tx) => WRITE.execute(tx));
  };
  const written = Promise.all([units(), units()]);
  await db.emptyLog();
  expect([unitsLeft > 0, db.logBytes()]).toEqual([true, 0]);
  unitsLeft = 0;
  await written;
  await db.close();
});
