import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { writeMeta } from '../db/meta.ts';
import { checkCopy } from '../db/sqlite/check-sound.ts';
import type { Deps } from '../deps.ts';
import { errorCode, errorText, OperatorError } from '../kernel/errors.ts';

/**
 * Copies the database to `file`, which must not exist, and verifies the copy. The file gets its name once it is complete, so an
 * interruption leaves only `FILE.partial`. Throws OperatorError when it fails.
 */
export async function backUp({ db, clock }: Pick<Deps, 'db' | 'clock'>, file: string) {
  const draft = `${file}.partial`;
  createPrivateFile(draft);
  try {
    if (existsSync(file)) {
      throw new OperatorError(`${file} already exists and is not overwritten; choose another file`);
    }
    await db.backup(draft);
    const bytes = checkCopy(draft);
    renameSync(draft, file);
    // A backup is valid even when its time cannot be stored.
    await db.unit((tx) => writeMeta(tx, 'backup_at', String(clock.now()))).catch(() => {});
    return { file, bytes };
  } catch (error) {
    rmSync(draft, { force: true });
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
    throw errorCode(error) === 'EEXIST'
      ? new OperatorError(
          `${file} already exists: another backup is writing it, or one was interrupted; in that case, delete it`,
        )
      : new OperatorError(`cannot create the file ${file}: ${errorText(error)}`);
  }
}
