import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, OperatorError } from '../kernel/errors.ts';
import type { Database } from './database.ts';
import { type Migrated, migrate } from './migrate.ts';
import { openPostgres } from './postgres/open.ts';
import { type OpenOptions, openSqlite, unusable } from './sqlite/open.ts';

export interface DatabaseOptions extends OpenOptions {
  /** Past a pooler that lends connections by the transaction. */
  directUrl?: string;
  /** Told what was done to the schema, also when nothing had to be. */
  onMigrated?: (migrated: Migrated) => void;
}

/**
 * Opens the database that `url` names (`sqlite:FILE`, making folder and file; or `postgres://…`) and brings its schema up
 * to date. Throws OperatorError with one line.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  if (!url.startsWith('sqlite:')) {
    const { db, migrated } = await openPostgres(url, options.directUrl);
    options.onMigrated?.(migrated);
    return db;
  }
  const file = url.slice('sqlite:'.length);
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw new OperatorError(
      `SERVICE_DATABASE_URL: cannot make the folder ${dirname(file)}: ${errorText(error)}`,
    );
  }
  const db = openSqlite(file, options);
  try {
    const migrated = await migrate(db);
    options.onMigrated?.(migrated);
    db.keepSavepointsInMemory();
  } catch (error) {
    await db.close();
    throw error instanceof OperatorError ? error : unusable(file, error);
  }
  return db;
}
