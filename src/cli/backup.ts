import { closeSync, openSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeMeta } from '../db/meta.ts';
import { checkSqliteCopy } from '../installation/check-copy.ts';
import { errorText, OperatorError } from '../kernel/errors.ts';
import type { Run } from './command.ts';

const SECRET_KEY_NOTE =
  'The secret key (SERVICE_SECRET_KEY, or secret.key in the data folder) is not inside the copy, which is of no use without it: keep it too, elsewhere.';

export const backup: Run = async (deps, input) => {
  const file = resolve(input.word(0));
  reserve(file);
  try {
    await deps.db.backup(file);
    const bytes = checkSqliteCopy(file);
    // A copy is a copy, also when it cannot be noted.
    await deps.db.unit((tx) => writeMeta(tx, 'backup_at', String(deps.clock.now()))).catch(() => {});
    return { value: { file, bytes }, note: SECRET_KEY_NOTE };
  } catch (error) {
    rmSync(file, { force: true });
    throw error instanceof OperatorError
      ? error
      : new OperatorError(`the backup failed: ${errorText(error)}`);
  }
};

/** Makes the file, empty and readable by its owner alone; never one that is there already. */
function reserve(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    const there = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new OperatorError(
      there
        ? `${file} is there already and is not overwritten; name another file`
        : `cannot make the file ${file}: ${errorText(error)}`,
    );
  }
}
