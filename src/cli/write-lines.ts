import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorText, OperatorError } from '../kernel/errors.ts';

/** Writes lines to a file that only its owner can read. Returns their number. Throws OperatorError. */
export async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  let count = 0;
  async function* counted() {
    for await (const line of lines) {
      count += 1;
      yield line;
    }
  }
  try {
    await pipeline(Readable.from(counted()), createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    throw new OperatorError(`cannot write ${file}: ${errorText(error)}`);
  }
  return count;
}
