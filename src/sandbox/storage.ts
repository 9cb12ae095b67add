import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { errorText, OperatorError } from '../kernel/errors.ts';
import { SCHEMA } from './tables.ts';

const BUSY_TIMEOUT_MS = 2000;

export type Storage = Sqlite.Database;

/** Opens the sandbox's file, making it and its folder when missing. Throws OperatorError when it cannot be used. */
export function openStorage(file: string): Storage {
  let db: Storage | null = null;
  try {
    mkdirSync(dirname(file), { recursive: true });
    db = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
    db.pragma('journal_mode = WAL');
    // A power cut may cost test money; a killed process costs nothing.
    db.pragma('synchronous = NORMAL');
    db.exec(SCHEMA);
    return db;
  } catch (error) {
    db?.close();
    throw new OperatorError(
      `The sandbox bank cannot use its file ${file}: ${errorText(error)}; make it writable or move it away`,
    );
  }
}

const statements = new WeakMap<Storage, Map<string, Sqlite.Statement<unknown[]>>>();
const STATEMENTS_MAX = 200;

/** A prepared statement, prepared once per storage: better-sqlite3 would parse the text anew each time. */
export function prepared(db: Storage, sql: string): Sqlite.Statement<unknown[]> {
  let known = statements.get(db);
  if (known === undefined) {
    known = new Map();
    statements.set(db, known);
  }
  let statement = known.get(sql);
  if (statement === undefined) {
    if (known.size >= STATEMENTS_MAX) known.clear();
    statement = db.prepare(sql);
    known.set(sql, statement);
  }
  return statement;
}
