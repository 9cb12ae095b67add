import { randomFillSync } from 'node:crypto';

/** Randomness, injected like the clock: fills and returns `length` unpredictable bytes. */
export type Random = (length: number) => Buffer;

/** The system is asked for this much at a time: a call costs it 1 µs, however few bytes it gives. */
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);

/** No byte is given out twice. */
export const systemRandom: Random = (length) => {
  if (length > POOL_BYTES) return randomFillSync(Buffer.allocUnsafe(length));
  if (pool.length < length) pool = randomFillSync(Buffer.allocUnsafeSlow(POOL_BYTES));
  const bytes = pool.subarray(0, length);
  pool = pool.subarray(length);
  return bytes;
};

/** `length` characters drawn evenly from `alphabet` (at most 256 of them), by rejection, so that none is likelier. */
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
