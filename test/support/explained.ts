import Sqlite from 'better-sqlite3';
import { Kysely, type LogEvent, SqliteDialect } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import type { Tables } from '../../src/db/tables/tables.ts';
import { sqliteFile } from './database.ts';

export interface Explained {
  sql: string;
  /** One line for each table that SQLite reads. */
  plan: string[];
}

/** A migrated SQLite database, closed after the test, that explains each query on `db`. */
export async function explainedDatabase() {
  const { file } = await sqliteFile();
  const handle = new Sqlite(file);
  onTestFinished(() => void handle.close());
  return { handle, ...explainOn(handle) };
}

/** Explains each query on this connection in `explained`. */
export function explainOn(handle: Sqlite.Database): { db: Kysely<Tables>; explained: Explained[] } {
  const explained: Explained[] = [];
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: handle }),
    log({ query: { sql, parameters } }: LogEvent) {
      const lines = handle.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[];
      explained.push({ sql, plan: lines.map(({ detail }) => detail) });
    },
  });
  return { db, explained };
}

/** Expects that no step of these plans matches. */
export function expectPlans(explained: readonly Explained[], refused: RegExp): void {
  for (const { sql, plan } of explained) {
    expect(
      plan.filter((detail) => refused.test(detail)),
      sql,
    ).toEqual([]);
  }
}
