import { randomFillSync } from 'node:crypto';

/** Returns `length` unpredictable bytes. Injected, like the clock. */
export type Random = (length: number) => Buffer;

/** The bytes per call of the system's generator: a call costs far more than its bytes. */
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);

/** Never returns a byte twice. */
export const systemRandom: Random = (length) => {
  if (pool.length < length) pool = randomFillSync(Buffer.alloc(Math.max(POOL_BYTES, length)));
  const bytes = pool.subarray(0, length);
  pool = pool.subarray(length);
  return bytes;
};

export const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns `length` characters of `alphabet` (at most 256), all equally likely. */
export function randomText(random: Random, length: number, alphabet: string): string {
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}
