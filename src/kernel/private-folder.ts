import { mkdirSync } from 'node:fs';
import { errorText, OperatorError } from './errors.ts';

/** Creates a folder that only this user can read, unless it exists. Throws OperatorError that names `variable`. */
export function createPrivateFolder(folder: string, variable: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new OperatorError(`${variable}: cannot create the folder ${folder}: ${errorText(error)}`);
  }
}
