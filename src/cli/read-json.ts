import type { Readable } from 'node:stream';
import { OperatorError } from '../kernel/errors.ts';

const INPUT_BYTES_MAX = 64 * 1024;

/** The JSON value on `input`, read to its end, at most 64 kB. Throws OperatorError when it is none. */
export async function readJson(input: Readable, form: string): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > INPUT_BYTES_MAX) {
      throw new OperatorError(`standard input carries more than ${INPUT_BYTES_MAX} bytes; give ${form}`);
    }
    chunks.push(Buffer.from(chunk));
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    // The text itself is not repeated: it may hold credentials.
    throw new OperatorError(`standard input is no JSON; give ${form}`);
  }
}
