import { chownSync, existsSync, realpathSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { errorCode, OperatorError } from '../../kernel/errors.ts';
import { createPrivate, unusable } from './open.ts';

/** How long a server waits for another one that is stopping. */
const WAIT_MS = 2000;

/**
 * Locks `FILE-lock` next to the open SQLite file of `url`, until `release` or the end of the process, however it ends. A server that
 * starts takes over the deliveries and refunds that are under way, as after a crash, so a second one must not run on the file.
 * Commands do not take the lock; servers on PostgreSQL share the work. Throws OperatorError.
 */
export function lockForServer(url: string): { release(): void } {
  if (!url.startsWith('sqlite:')) return { release() {} };
  const file = url.slice('sqlite:'.length);
  const lockFile = `${realpathSync(file)}-lock`;
  let lock: Sqlite.Database | undefined;
  try {
    if (!existsSync(lockFile)) createAsOwnerOf(file, lockFile);
    lock = new Sqlite(lockFile, { timeout: WAIT_MS });
    // Nothing is written, so that a full disk does not prevent the lock.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    if (errorCode(error) !== 'SQLITE_BUSY') throw unusable(lockFile, error);
    throw new OperatorError(
      `SERVICE_DATABASE_URL: another service runs on the database file ${file}; stop it first, or use PostgreSQL for several processes`,
    );
  }
  return { release: () => void lock?.close() };
}

/** Creates a file that belongs to the owner of `file`, so that a start as root does not lock the service's user out. */
function createAsOwnerOf(file: string, created: string): void {
  createPrivate(created);
  const { uid, gid } = statSync(file);
  if (process.getuid?.() === 0) chownSync(created, uid, gid);
}
