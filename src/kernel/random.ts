import { randomBytes } from 'node:crypto';

/** Returns `length` unpredictable bytes. Injected, like the clock. */
export type Random = (length: number) => Buffer;

export const systemRandom: Random = (length) => randomBytes(length);

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
