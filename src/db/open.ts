import { dirname } from 'node:path';
import { OperatorError } from '../kernel/errors.ts';
import type { Database } from './database.ts';
import { type BeforeUpgrade, MIGRATIONS, type Migrated, migrate } from './migrate.ts';
import { createPrivateFolder } from './private-folder.ts';
import { type OpenOptions, openSqlite, unusable } from './sqlite/open.ts';

interface DatabaseOptions extends OpenOptions {
  /** The address that bypasses a transaction-mode pooler. */
  directUrl?: string;
  beforeUpgrade?: BeforeUpgrade;
  /** Called with the result of the migration, also when nothing was missing. */
  onMigrated?: (migrated: Migrated) => void;
}

/**
 * Opens the database at `url` (`sqlite:FILE`, which creates folder and file, or `postgres://…`) and migrates its schema. Throws
 * OperatorError with one line.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  if (!url.startsWith('sqlite:')) {
    const { openPostgres } = await import('./postgres/open.ts');
    const { db, migrated } = await openPostgres(url, options);
    options.onMigrated?.(migrated);
    return db;
  }
  const file = url.slice('sqlite:'.length);
  createPrivateFolder(dirname(file), 'SERVICE_DATABASE_URL');
  const db = openSqlite(file, options);
  try {
    const migrated = await migrate(db, MIGRATIONS, options.beforeUpgrade);
    options.onMigrated?.(migrated);
    db.setUpShortTransactions();
  } catch (error) {
    await db.close();
    throw error instanceof OperatorError ? error : unusable(file, error);
  }
  return db;
}
