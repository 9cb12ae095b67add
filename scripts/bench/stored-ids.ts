import Sqlite from 'better-sqlite3';

/** The ids in a table of a SQLite file whose server is gone. */
export function storedIds(file: string, table: 'payments' | 'transactions'): Set<string> {
  const handle = new Sqlite(file, { fileMustExist: true });
  try {
    return new Set(handle.prepare<[], string>(`select id from ${table}`).pluck().iterate());
  } finally {
    handle.close();
  }
}
