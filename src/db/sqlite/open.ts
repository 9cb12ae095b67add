import { accessSync, closeSync, constants, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { errorCode, errorText, OperatorError } from '../../kernel/errors.ts';
import type { Database } from '../database.ts';
import type { Tables } from '../tables/tables.ts';
import { findDamage } from './check-sound.ts';
import { Checkpoints } from './checkpoints.ts';
import { kyselyOf } from './kysely.ts';
import { ReadSnapshot } from './read-snapshot.ts';
import { SerialSnapshots } from './serial-snapshots.ts';
import { SharedCommits } from './shared-commits.ts';

/** Pages in the write-ahead log at which the writer runs a checkpoint: 16 MiB. */
const WAL_PAGES = 4000;
/** The same for the checkpoint thread: 48 MiB. The writer waits for its last pages, so it runs less often. */
const THREAD_WAL_PAGES = 12_000;
/** The writer's limit while the thread is running: 128 MiB. */
const WAL_PAGES_MAX = 32_000;
/** The size to which a longer log file is truncated after its checkpoint. */
const LOG_BYTES_KEPT = 192 * 2 ** 20;
/** The default of SQLite. better-sqlite3 sets 16 MB, which SQLite searches at the commit after some page splits. */
const WRITER_CACHE_KIB = 2000;
/** How long one statement waits for another process's lock; it blocks this thread. */
const BUSY_TIMEOUT_MS = 100;
/** How often emptying the log is tried while other connections read or run a checkpoint. */
const EMPTY_LOG_TRIES = 50;
const EMPTY_LOG_RETRY_MS = 100;
/** A write-ahead log must only be applied to its own database file. */
const DAMAGED =
  'it is damaged or not a database; put a backup in its place, and remove the -wal and -shm files next to it';
/** SQLite finds the log by the name of the file, so the changes made under two names overwrite each other. */
const SEVERAL_NAMES =
  'it has a second name (hard link), and changes under two names damage it; delete the other name, or replace it by a copy';
const MOVED =
  'the database file was moved, replaced or deleted while it was open: what is written now would be lost; put it back, or stop this process';
const LOG_MOVED =
  'the -wal file of the database was moved, replaced or deleted while it was open: what is written now could be lost; put it back, or stop this process, which then copies its changes into the database file';
/** SQLite deletes the log of an empty file. */
const ONLY_LOG =
  'it is missing or empty, but its -wal file is there; put the file back, or move the -wal and -shm files away and put a backup in its place';
/** More pages than a database can have, so that a backup takes one step. */
const PAGES_MAX = 2 ** 31 - 1;

export interface OpenOptions {
  /** Check the file for damage first; for servers. */
  check?: boolean;
  /** Run checkpoints on a worker thread; for servers. `failed` is called once, when the thread stops working. */
  checkpointThread?: { failed(error: Error): void };
  /** For the simulator, which kills the process at any point. */
  simulator?: SimulatorHook;
}

interface SimulatorHook {
  /** Receives the connections, first the writer; closing them discards uncommitted changes, as a crash does. */
  opened(...connections: Sqlite.Database[]): void;
  /** Runs after each commit, before its callers continue. */
  committed(): void;
}

interface SqliteDatabase extends Database {
  /**
   * Keeps the pages that savepoints may restore in memory instead of in a temporary file, and fewer pages in the writer's cache.
   * Called after the migrations, whose sorts of entire tables use both.
   */
  setUpShortTransactions(): void;
}

/** Opens or creates the SQLite file: WAL, every commit forced to disk, foreign keys on. Throws OperatorError. */
export function openSqlite(
  file: string,
  { check = false, checkpointThread, simulator }: OpenOptions = {},
): SqliteDatabase {
  const writer = openHandle(file, false);
  const openedFile = openedAt(file);
  if (check) requireSound(writer, file);
  // The first read creates the log, next to the file that a symbolic link points to.
  writer.pragma('user_version');
  const openedLog = openedAt(`${realpathSync(file)}-wal`);
  let isLogMissing = false;
  const logBytes = () => statSync(openedLog.path, { throwIfNoEntry: false })?.size ?? 0;
  const checkpoints =
    checkpointThread === undefined ? null : startCheckpoints(writer, file, logBytes, checkpointThread);
  const reader = openHandle(file, true);
  const snapshotReader = openHandle(file, true);
  simulator?.opened(writer, reader, snapshotReader);
  const snapshots = new SerialSnapshots(snapshotReader);
  const snapshot = new ReadSnapshot(reader);
  const read = kyselyOf(reader, snapshot);
  const commits = new SharedCommits(writer, kyselyOf(writer), {
    hold: () => checkpoints?.hold()?.then(() => snapshot.end()) ?? null,
    committing() {
      if (!isInPlace(openedFile)) throw new Error(MOVED);
      // Only once the log was missing: after a stat, the next write to the log must record a new time, which is slow.
      isLogMissing ||= !existsSync(openedLog.path);
      if (isLogMissing && !isInPlace(openedLog)) throw new Error(LOG_MOVED);
      isLogMissing = false;
    },
    committed() {
      snapshot.end();
      checkpoints?.committed();
      simulator?.committed();
    },
  });
  return {
    engine: 'sqlite',
    cluster: null,
    read,
    snapshot: (work) => snapshots.run(work),
    unit: (work) => commits.run(work),
    setUpShortTransactions() {
      writer.pragma('temp_store = MEMORY');
      writer.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
    },
    async backup(target) {
      // In one step, because a write of another process restarts a backup that takes several steps.
      await reader.backup(target, { progress: () => PAGES_MAX });
      return statSync(target).size;
    },
    async emptyLog() {
      for (let tries = 0; tries < EMPTY_LOG_TRIES; tries++) {
        await commits.between();
        snapshot.end();
        if (isEmptied(writer)) return;
        await delay(EMPTY_LOG_RETRY_MS);
      }
    },
    logBytes,
    async close() {
      await checkpoints?.close();
      await commits.drain();
      await snapshots.drain();
      snapshot.end();
      snapshotReader.close();
      reader.close();
      writer.close();
    },
  };
}

interface OpenedFile {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
}

function openedAt(path: string): OpenedFile {
  const { dev, ino } = statSync(path);
  return { path, dev, ino };
}

/** Whether the path still names the file that was opened. SQLite does not check this before a write to the log. */
function isInPlace({ path, dev, ino }: OpenedFile): boolean {
  try {
    const now = statSync(path, { throwIfNoEntry: false });
    return now?.dev === dev && now.ino === ino;
  } catch {
    // A folder that may no longer be read says nothing about the file.
    return true;
  }
}

function startCheckpoints(
  writer: Sqlite.Database,
  file: string,
  logBytes: () => number,
  { failed }: { failed(error: Error): void },
): Checkpoints {
  writer.pragma(`wal_autocheckpoint = ${WAL_PAGES_MAX}`);
  return new Checkpoints({ file, pages: THREAD_WAL_PAGES }, logBytes, (error) => {
    if (writer.open) writer.pragma(`wal_autocheckpoint = ${WAL_PAGES}`);
    failed(error);
  });
}

/** Copies the log into the file and truncates it, without waiting; false while another connection prevents it. */
function isEmptied(writer: Sqlite.Database): boolean {
  writer.pragma('busy_timeout = 0');
  try {
    return writer.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
  } finally {
    writer.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/** Opens an existing file exclusively: fails while another process uses it, and locks all others out. Throws OperatorError. */
export function openSqliteAlone(file: string): { db: Kysely<Tables>; close(): void } {
  let handle: Sqlite.Database | undefined;
  try {
    handle = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
    const opened = handle;
    handle.pragma('locking_mode = EXCLUSIVE');
    handle.pragma('synchronous = FULL');
    // Fails while any other connection is open, because each holds a shared lock on the file.
    handle.exec('BEGIN EXCLUSIVE; COMMIT');
    const dialect = new SqliteDialect({ database: handle });
    return { db: new Kysely<Tables>({ dialect }), close: () => void opened.close() };
  } catch (error) {
    handle?.close();
    throw unusable(file, error);
  }
}

function openHandle(file: string, readOnly: boolean): Sqlite.Database {
  let handle: Sqlite.Database | undefined;
  try {
    // The log first, because another process may create both in between.
    const hasLog = existsSync(`${file}-wal`);
    const isMissing = !existsSync(file);
    if (hasLog && (isMissing || statSync(file).size === 0)) throw new Error(ONLY_LOG);
    if (isMissing) createPrivate(file);
    handle = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
    if (!readOnly) {
      // SQLite reports a file without write permission only at the first write.
      accessSync(file, constants.W_OK);
      if (statSync(file).nlink > 1) throw new Error(SEVERAL_NAMES);
      handle.pragma('journal_mode = WAL');
      handle.pragma(`wal_autocheckpoint = ${WAL_PAGES}`);
      handle.pragma(`journal_size_limit = ${LOG_BYTES_KEPT}`);
    }
    handle.pragma('synchronous = FULL');
    handle.pragma('foreign_keys = ON');
    // Erased personal data must not stay in the free space of the file, which a backup copies.
    handle.pragma('secure_delete = ON');
    if (readOnly) handle.pragma('query_only = ON');
    return handle;
  } catch (error) {
    handle?.close();
    throw unusable(file, error);
  }
}

/** Creates the file so that only its owner can read it; SQLite gives its -wal and -shm files the same mode. */
export function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // Another process created it, or SQLite reports the same failure.
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

/** The one-line error for a file that cannot be used, with what to do. */
export function unusable(file: string, error: unknown): OperatorError {
  return new OperatorError(`SERVICE_DATABASE_URL: cannot use the database file ${file}: ${advice(error)}`);
}

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS']);

function advice(error: unknown): string {
  const code = errorCode(error);
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED')
    return 'another process has locked it; stop that process first';
  if (code.startsWith('SQLITE_READONLY') || NOT_WRITABLE.has(code))
    return 'it is read-only; make the file and its folder writable';
  if (code === 'SQLITE_CANTOPEN')
    return 'it cannot be opened; check that the path is right, that the folder exists and is writable, and that the user of this process may read and write the file';
  // SQLITE_IOERR_SHMSIZE: there is no space for the -shm file.
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE')
    return `the disk is full; free space on it (${errorText(error)})`;
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return `${DAMAGED} (${errorText(error)})`;
  return errorText(error);
}
