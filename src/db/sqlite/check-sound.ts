import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { OperatorError } from '../../kernel/errors.ts';

/** Files up to this size are checked page by page. */
const FULL_CHECK_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Checks a SQLite database before anything is written to it: a small database completely; in a large one the schema and both ends
 * of every table and index, so that the start time does not grow with the file. Returns the damage in one line, or null; throws
 * SQLite's errors.
 */
export function findDamage(handle: Sqlite.Database, fullCheckBytesMax = FULL_CHECK_BYTES_MAX): string | null {
  const pages = Number(handle.pragma('page_count', { simple: true }));
  const pageBytes = Number(handle.pragma('page_size', { simple: true }));
  if (pages * pageBytes > fullCheckBytesMax) {
    readEnds(handle);
    return null;
  }
  const verdict = String(handle.pragma('quick_check(1)', { simple: true }));
  return verdict === 'ok' ? null : verdict.replace(/\s+/g, ' ').trim();
}

/** Reads both ends of every b-tree; SQLite throws on a damaged page. */
function readEnds(handle: Sqlite.Database): void {
  const tables = handle
    .prepare(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and not wr and name not like 'sqlite_%'",
    )
    .pluck()
    .all() as string[];
  for (const table of tables) {
    readBothEnds(handle, `"${table}" not indexed`, 'rowid');
    for (const [index, column] of plainIndexes(handle, table)) {
      readBothEnds(handle, `"${table}" indexed by "${index}"`, `"${column}"`);
    }
  }
}

/** Names and first columns of the indexes that are neither partial nor on an expression. */
function plainIndexes(handle: Sqlite.Database, table: string): [string, string][] {
  return handle
    .prepare(
      `select list.name, info.name from pragma_index_list(?) list, pragma_index_info(list.name) info
       where list.partial = 0 and info.seqno = 0 and info.name is not null`,
    )
    .raw()
    .all(table) as [string, string][];
}

function readBothEnds(handle: Sqlite.Database, from: string, column: string): void {
  for (const direction of ['asc', 'desc']) {
    handle.prepare(`select ${column} from ${from} order by ${column} ${direction} limit 1`).get();
  }
}

/**
 * Checks a fresh copy of a database completely, and turns it into one file without a write-ahead log. Returns its size in bytes.
 * Throws OperatorError when the copy is damaged.
 */
export function checkCopy(file: string): number {
  const handle = new Sqlite(file, { fileMustExist: true });
  try {
    handle.pragma('journal_mode = DELETE');
    const verdict = handle.pragma('quick_check(1)', { simple: true });
    const version = handle.prepare("select value from meta where key = 'schema_version'").pluck().get();
    if (verdict !== 'ok' || version === undefined) {
      throw new OperatorError(`the copy in ${file} is damaged: ${verdict}; copy to another disk`);
    }
  } finally {
    handle.close();
  }
  return statSync(file).size;
}
