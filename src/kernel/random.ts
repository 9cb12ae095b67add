import { randomFillSync } from 'node:crypto';

/** Randomness, injected like the clock: fills and returns `length` unpredictable bytes. */
export type Random = (length: number) => Buffer;

export const systemRandom: Random = (length) => randomFillSync(Buffer.allocUnsafe(length));

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
