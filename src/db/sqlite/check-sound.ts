import type Sqlite from 'better-sqlite3';

/** Read whole, page by page; it takes about a second for a gigabyte in memory, far longer from a slow disk. */
const READ_WHOLE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Reads a SQLite database before anything is written to it: a small one whole, of a large one the schema and both
 * ends of every table and index, so that a start costs the same at any size. Whether the last stop was clean plays no
 * part: a killed process leaves no damage behind (write-ahead log, forced commits), disks and hands do, and after a kill the
 * start must be fast. The whole of a large file is read by every `backup`. Returns what is wrong, in one line, or
 * null; throws what SQLite throws.
 */
export function findDamage(handle: Sqlite.Database, readWholeBytesMax = READ_WHOLE_BYTES_MAX): string | null {
  const pages = Number(handle.pragma('page_count', { simple: true }));
  const pageBytes = Number(handle.pragma('page_size', { simple: true }));
  if (pages * pageBytes > readWholeBytesMax) {
    readEnds(handle);
    return null;
  }
  const verdict = String(handle.pragma('quick_check(1)', { simple: true }));
  return verdict === 'ok' ? null : verdict.replace(/\s+/g, ' ').trim();
}

/** Walks down both edges of every b-tree; a page that does not fit there makes SQLite throw. */
function readEnds(handle: Sqlite.Database): void {
  const tables = handle
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[];
  for (const table of tables) {
    readBothEnds(handle, `"${table}" not indexed`, 'rowid');
    for (const [index, column] of plainIndexes(handle, table)) {
      readBothEnds(handle, `"${table}" indexed by "${index}"`, `"${column}"`);
    }
  }
}

/** Names and first columns; a partial index or one on an expression cannot be walked without repeating its terms. */
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
