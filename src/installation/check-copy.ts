import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { OperatorError } from '../kernel/errors.ts';

/**
 * Opens a fresh copy of a SQLite database and reads all of it; makes it one file that stands alone (no write-ahead
 * log beside it). Resolves to its size in bytes. Throws OperatorError when the copy is not sound.
 */
export function checkSqliteCopy(file: string): number {
  const handle = new Sqlite(file, { fileMustExist: true });
  try {
    handle.pragma('journal_mode = DELETE');
    const verdict = handle.pragma('quick_check(1)', { simple: true });
    const version = handle.prepare("select value from meta where key = 'schema_version'").pluck().get();
    if (verdict !== 'ok' || version === undefined) {
      throw new OperatorError(`the copy in ${file} is not sound: ${verdict}; take it again, elsewhere`);
    }
  } finally {
    handle.close();
  }
  return statSync(file).size;
}
