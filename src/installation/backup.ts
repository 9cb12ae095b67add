import { closeSync, openSync, rmSync } from 'node:fs';
import { writeMeta } from '../db/meta.ts';
import { checkCopy } from '../db/sqlite/check-sound.ts';
import type { Deps } from '../deps.ts';
import { errorCode, errorText, OperatorError } from '../kernel/errors.ts';

/** Copies the database to `file`, which must not exist, and verifies the copy. Throws OperatorError when that fails. */
export async function backUp({ db, clock }: Pick<Deps, 'db' | 'clock'>, file: string) {
  createPrivateFile(file);
  try {
    await db.backup(file);
    const bytes = checkCopy(file);
    // A backup is valid even when its time cannot be stored.
    await db.unit((tx) => writeMeta(tx, 'backup_at', String(clock.now()))).catch(() => {});
    return { file, bytes };
  } catch (error) {
    rmSync(file, { force: true });
    throw error instanceof OperatorError
      ? error
      : new OperatorError(`the backup failed: ${errorText(error)}`);
  }
}

/** Creates an empty file that only its owner can read. */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    throw new OperatorError(
      errorCode(error) === 'EEXIST'
        ? `${file} already exists and is not overwritten; choose another file`
        : `cannot create the file ${file}: ${errorText(error)}`,
    );
  }
}
