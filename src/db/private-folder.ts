import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode, errorText, OperatorError } from '../kernel/errors.ts';

/** Creates a folder that only this user can read, unless it exists. Throws OperatorError that names `variable`. */
export function createPrivateFolder(folder: string, variable: string): void {
  const path = resolve(folder);
  try {
    createWithParents(path);
  } catch (error) {
    throw new OperatorError(
      `${variable}: cannot create the folder ${path}: ${errorText(error)}; correct the path (a relative one starts at the current folder), or create the folder for the user of this process`,
    );
  }
}

/** Unlike `mkdirSync` with `recursive`, reports a read-only file system as such and not as a missing folder. */
function createWithParents(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) createWithParents(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts now may have created it.
    if (errorCode(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}
