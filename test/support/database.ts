import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';

/** Where a clean-up is left: vitest's `onTestFinished`, or `afterAll`. */
export type WhenOver = (cleanUp: () => void | Promise<void>) => void;

/** A folder that is gone when the test is over. */
export function temporaryFolder(whenOver: WhenOver = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A migrated database in a file of its own, closed and removed when the test is over. */
export async function temporaryDatabase(): Promise<Database> {
  const db = await openDatabase(`sqlite:${join(temporaryFolder(), 'service.db')}`);
  onTestFinished(() => db.close());
  return db;
}
