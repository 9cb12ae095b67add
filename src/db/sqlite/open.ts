import { accessSync, constants, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { errorText, OperatorError } from '../../kernel/errors.ts';
import type { Database } from '../database.ts';
import { runDirectly } from '../prepared.ts';
import type { Tables } from '../tables/tables.ts';
import { findDamage } from './check-sound.ts';
import { Checkpoints } from './checkpoints.ts';
import { SharedCommits } from './shared-commits.ts';
import { SharedReads } from './shared-reads.ts';

const STATEMENTS_MAX = 500;
/**
 * When the log is copied back into the database: at 16 MiB. Every init changes the last page of a dozen indexes, which are then
 * copied once for 75 commits instead of once for 19: an init's share of its commit fell from 307 to 241 µs on a busy disk,
 * 8000 pages gave no more.
 */
const WAL_PAGES = 4000;
/**
 * The same where a thread does it: at 48 MiB. For its last pages the writer waits 2 to 3 ms; with 4000 pages that was every 200th commit of
 * a few inits, which was their 99th percentile: 4.0 ms among ten million payments, 3.0 to 3.3 from here on.
 */
const THREAD_WAL_PAGES = 12_000;
/** Then the writer does it at 128 MiB only: when so much is written that the thread falls behind. */
const WAL_PAGES_MAX = 32_000;
/**
 * What is left of a log that grew longer, because somebody read the file for long or it could not be written: the disk has the rest back
 * with the first commit after it is copied, not with the next start.
 */
const LOG_BYTES_KEPT = 192 * 2 ** 20;
/** How long one statement may wait for another process's lock; it blocks this thread, so it is short. */
const BUSY_TIMEOUT_MS = 100;
/** A write-ahead log belongs to the file that it lies beside: over a restored one it would be damage again. */
const DAMAGED =
  'it is not a sound database; put a backup in its place, and remove the files beside it that end in -wal and -shm';
/** More pages than a database can have in one step of a copy. */
const PAGES_MAX = 2 ** 31 - 1;

export interface OpenOptions {
  /** Look for damage first; for a server that is going to write for a long time. */
  check?: boolean;
  /** Copy the log back on a thread of its own, likewise; `failed` is called, once, when that is over. */
  checkpointThread?: { failed(error: Error): void };
  /** For the simulator, which kills the process at any point. */
  simulator?: SimulatorHook;
}

export interface SimulatorHook {
  /** Receives the two connections; closing them discards what is not committed, as the death of the process does. */
  opened(writer: Sqlite.Database, reader: Sqlite.Database): void;
  /** Runs after each commit, before its callers continue. */
  committed(): void;
}

export interface SqliteDatabase extends Database {
  /**
   * Keeps what a savepoint may have to restore in memory, from now on: a unit copies the pages that it changes, and beyond 64
   * KiB a commit's copies went to a temporary file, which made writing an init take 52 µs where it now takes 27. Not before
   * the migrations, which sort whole tables in the same place.
   */
  keepSavepointsInMemory(): void;
}

/** Opens (or makes) the SQLite file: WAL, every commit forced to disk, foreign keys on. Throws OperatorError. */
export function openSqlite(
  file: string,
  { check = false, checkpointThread, simulator }: OpenOptions = {},
): SqliteDatabase {
  const writer = openHandle(file, false);
  if (check) requireSound(writer, file);
  const checkpoints =
    checkpointThread === undefined ? null : startCheckpoints(writer, file, checkpointThread);
  const reader = openHandle(file, true);
  simulator?.opened(writer, reader);
  const reads = new SharedReads(reader);
  const read = kysely(reader, (run, same) => reads.read(run, same));
  // Counted here: asking SQLite for its count before each unit was a statement more in each init.
  let written = 0;
  const commits = new SharedCommits(
    writer,
    kysely(
      writer,
      (run) => run(),
      () => {
        written++;
      },
    ),
    {
      written: () => written,
      hold: () => checkpoints?.hold()?.then(() => reads.renew()) ?? null,
      committed() {
        reads.renew();
        checkpoints?.committed();
        simulator?.committed();
      },
    },
  );
  return {
    engine: 'sqlite',
    neighbours: null,
    read,
    unit: (work) => commits.run(work),
    keepSavepointsInMemory: () => writer.pragma('temp_store = MEMORY'),
    async backup(target) {
      // All pages in one step, from one snapshot: step by step, each write of another process starts the copy anew.
      await reader.backup(target, { progress: () => PAGES_MAX });
      return statSync(target).size;
    },
    logBytes: () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    async close() {
      // First, so that nothing can be begun between the end of the rest and the closing of the handles.
      await checkpoints?.close();
      await commits.drain();
      await reads.drain();
      reader.close();
      writer.close();
    },
  };
}

function startCheckpoints(
  writer: Sqlite.Database,
  file: string,
  { failed }: { failed(error: Error): void },
): Checkpoints {
  writer.pragma(`wal_autocheckpoint = ${WAL_PAGES_MAX}`);
  return new Checkpoints({ file, pages: THREAD_WAL_PAGES }, (error) => {
    if (writer.open) writer.pragma(`wal_autocheckpoint = ${WAL_PAGES}`);
    failed(error);
  });
}

/**
 * Opens an existing file for this process alone: as long as it is open nobody else can use it, and it cannot be opened
 * while somebody does. Throws OperatorError.
 */
export function openSqliteAlone(file: string): { db: Kysely<Tables>; close(): void } {
  let handle: Sqlite.Database | undefined;
  try {
    handle = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
    const opened = handle;
    handle.pragma('locking_mode = EXCLUSIVE');
    handle.pragma('synchronous = FULL');
    // Every connection of a write-ahead log holds a shared lock on the file: this takes the place of all of them, or fails.
    handle.exec('BEGIN EXCLUSIVE; COMMIT');
    return { db: kysely(handle, (run) => run()), close: () => void opened.close() };
  } catch (error) {
    handle?.close();
    throw unusable(file, error);
  }
}

function openHandle(file: string, readOnly: boolean): Sqlite.Database {
  try {
    const handle = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
    if (!readOnly) {
      // SQLite opens a file that it may not write all the same, and would say so at the first write only.
      accessSync(file, constants.W_OK);
      handle.pragma('journal_mode = WAL');
      handle.pragma(`wal_autocheckpoint = ${WAL_PAGES}`);
      handle.pragma(`journal_size_limit = ${LOG_BYTES_KEPT}`);
    }
    handle.pragma('synchronous = FULL');
    handle.pragma('foreign_keys = ON');
    if (readOnly) handle.pragma('query_only = ON');
    return handle;
  } catch (error) {
    throw unusable(file, error);
  }
}

function requireSound(handle: Sqlite.Database, file: string): void {
  let damage: string | null;
  try {
    damage = findDamage(handle);
  } catch (error) {
    handle.close();
    throw unusable(file, error);
  }
  if (damage === null) return;
  handle.close();
  throw new OperatorError(
    `SERVICE_DATABASE_URL: cannot use the database file ${file}: ${DAMAGED} (${damage})`,
  );
}

/** The operator's line for a file that cannot be opened or written: what is wrong and what to do. */
export function unusable(file: string, error: unknown): OperatorError {
  return new OperatorError(`SERVICE_DATABASE_URL: cannot use the database file ${file}: ${advice(error)}`);
}

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS']);

function advice(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED')
    return 'another process holds it locked; stop that one first';
  if (code.startsWith('SQLITE_READONLY') || NOT_WRITABLE.has(code))
    return 'it is read-only; make the file and its folder writable';
  if (code === 'SQLITE_CANTOPEN')
    return 'it cannot be opened; check that the path is right, and that the folder exists and is writable';
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return `${DAMAGED} (${errorText(error)})`;
  return errorText(error);
}

interface Prepared {
  readonly statement: Sqlite.Statement;
  /** No other one of this handle has it. */
  readonly number: number;
}

/**
 * Kysely over one handle. Kysely prepares each statement anew; the cache in front keeps the prepared ones, which
 * is most of the cost of a small query. `schedule` decides when a prepared query is run. `wrote` is called after a prepared
 * query that changed rows (none changes the schema, and there are no triggers), and before any other statement that may
 * change something.
 */
function kysely(
  handle: Sqlite.Database,
  schedule: (run: () => unknown[], same: string | null) => unknown[] | Promise<unknown[]>,
  wrote: () => void = () => {},
): Kysely<Tables> {
  const statements = new Map<string, Prepared>();
  let prepared = 0;
  const find = (source: string) => {
    const known = statements.get(source);
    if (known) return known;
    if (statements.size >= STATEMENTS_MAX) statements.clear();
    const made = { statement: handle.prepare(parsedOnce(source)), number: prepared++ };
    statements.set(source, made);
    return made;
  };
  const prepare = (source: string) => {
    const { statement } = find(source);
    // Kysely's driver runs it next: whether it fails is not seen here.
    if (!statement.readonly) wrote();
    return statement;
  };
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: { prepare, close() {} } }) });
  runDirectly(db, (source, parameters, shared) => {
    const { statement, number } = find(source);
    if (statement.reader) {
      // Not by its text: putting that together and hashing it was 1.4 of a look-up's 2.5 µs.
      const same = shared ? number + JSON.stringify(parameters) : null;
      if (statement.readonly) return schedule(() => statement.all(...parameters), same);
      const rows = statement.all(...parameters);
      if (rows.length > 0) wrote();
      return rows;
    }
    if (statement.run(...parameters).changes > 0) wrote();
    return [];
  });
  return db;
}

/**
 * This build of SQLite parses a statement with `column = ?` and an order anew whenever the value changes, in case that statistics
 * of the values lead to a better plan: 7 to 12 µs for each look-up of 1. There are no statistics here. Behind a sign it leaves
 * a value alone; `+` changes none, of whatever type.
 */
function parsedOnce(source: string): string {
  return source.replaceAll(' = ?', ' = +?');
}
