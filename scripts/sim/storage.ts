import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openDatabase } from '../../src/db/open.ts';

/** The database of one process, opened as the service opens it, and what only a simulation does to it. */
export type Storage = Awaited<ReturnType<typeof openStorage>>;

const MEMORY_FOLDER = '/dev/shm';

/** Creates a folder for the database files, in memory where the system supports it. */
export function createFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'sim-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

let template: Buffer | null = null;

/** Replaces the database file by an empty one with the current schema. */
export async function createDatabase(folder: string, file: string): Promise<void> {
  template ??= await createTemplate(folder);
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  writeFileSync(file, template);
}

async function createTemplate(folder: string): Promise<Buffer> {
  const file = join(folder, 'template.db');
  const db = await openDatabase(`sqlite:${file}`);
  await db.close();
  const handle = new Sqlite(file);
  handle.pragma('journal_mode = DELETE');
  const bytes = handle.serialize();
  handle.close();
  return bytes;
}

/** Opens the file as the service does. `onCommit` runs after each commit, before its callers continue. */
export async function openStorage(file: string, onCommit: () => void) {
  const connections: Sqlite.Database[] = [];
  const simulator = {
    opened: (...handles: Sqlite.Database[]) => void connections.push(...handles),
    committed: onCommit,
  };
  const db = await openDatabase(`sqlite:${file}`, { simulator });
  const [writer] = connections;
  if (writer === undefined) throw new Error('the database was not opened');
  const committed = new Sqlite(file, { readonly: true });
  return {
    db,
    /** The service's connection: shows the transaction in progress. */
    writer,
    /** A separate connection: shows what is committed. */
    committed,
    /** Closes the connections as a killed process does: transactions in progress are lost. */
    kill() {
      for (const connection of [...connections, committed]) connection.close();
    },
  };
}
