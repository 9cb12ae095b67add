import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { SharedCommits } from '../../src/db/sqlite/shared-commits.ts';
import type { Tables } from '../../src/db/tables/tables.ts';

/** The database of one life of the service: a real file, and what only a simulation may do to it. */
export interface Storage {
  db: Database;
  /** Sees the unit that is being worked on. */
  writer: Sqlite.Database;
  /** Sees what is committed. */
  reader: Sqlite.Database;
  /** What a dying process does: open transactions are lost, committed ones stay. */
  kill(): void;
}

const MEMORY_FOLDER = '/dev/shm';

/** A folder for the files of runs, in memory where the system has such a place. */
export function makeFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'sim-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

let template: Buffer | null = null;

/** Puts an empty database with the real schema there, in place of what was there. */
export async function makeDatabase(folder: string, file: string): Promise<void> {
  template ??= await makeTemplate(folder);
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  writeFileSync(file, template);
}

async function makeTemplate(folder: string): Promise<Buffer> {
  const file = join(folder, 'template.db');
  const db = await openDatabase(`sqlite:${file}`);
  await db.close();
  const handle = new Sqlite(file);
  handle.pragma('journal_mode = DELETE');
  const bytes = handle.serialize();
  handle.close();
  return bytes;
}

/**
 * Opens the file as the service does, but for `synchronous`: a process may die here, the power does not fail. `committed` is
 * called after each commit, before anybody is told of it.
 */
export function openStorage(file: string, committed: () => void = () => {}): Storage {
  const writer = openHandle(file);
  const reader = openHandle(file);
  reader.pragma('query_only = ON');
  let written = 0;
  const db = queries(writer, () => written++);
  const commits = new SharedCommits(writer, db, { written: () => written, committed, hold: () => null });
  return {
    writer,
    reader,
    db: {
      engine: 'sqlite',
      neighbours: null,
      read: queries(reader, () => {}),
      unit: (work) => commits.run(work),
      backup: () => Promise.reject(new Error('no backups in a simulation')),
      logBytes: () => null,
      close: () => commits.drain(),
    },
    kill() {
      writer.close();
      reader.close();
    },
  };
}

function openHandle(file: string): Sqlite.Database {
  const handle = new Sqlite(file);
  handle.pragma('journal_mode = WAL');
  handle.pragma('synchronous = OFF');
  handle.pragma('foreign_keys = ON');
  return handle;
}

/** `wrote` is called before each statement that may change something. */
function queries(handle: Sqlite.Database, wrote: () => void): Kysely<Tables> {
  const statements = new Map<string, Sqlite.Statement>();
  const prepare = (source: string) => {
    const known = statements.get(source) ?? handle.prepare(source);
    statements.set(source, known);
    if (!known.readonly) wrote();
    return known;
  };
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: { prepare, close() {} } }) });
}
