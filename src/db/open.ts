import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, OperatorError } from '../kernel/errors.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { type OpenOptions, openSqlite, unusable } from './sqlite.ts';

/**
 * Opens the database that `url` names (`sqlite:FILE`, making folder and file; or `postgres://…`) and brings its schema up
 * to date. Throws OperatorError with one line.
 */
export async function openDatabase(
  url: string,
  options: OpenOptions & { directUrl?: string } = {},
): Promise<Database> {
  if (!url.startsWith('sqlite:')) return openPostgres(url, options.directUrl);
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
    await migrate(db);
  } catch (error) {
    await db.close();
    throw error instanceof OperatorError ? error : unusable(file, error);
  }
  return db;
}
