import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from './random.ts';

/**
 * Encrypts what must be shown or used again (API keys, webhook secrets, bank credentials) before it is stored:
 * AES-256-GCM, a fresh 96-bit nonce each, bound to its place so that a ciphertext moved to another row does not open.
 */
export interface SecretBox {
  /** `v1.` and base64 of nonce, tag and ciphertext. `place` names table, column and row, such as `api_keys.secret:key_1`. */
  seal(plain: string, place: string): string;
  /** The text sealed for this very place. Throws when the key or the place is another, or the text was altered. */
  open(sealed: string, place: string): string;
}

export const SECRET_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';

/** A box over a key of 32 bytes. */
export function createSecretBox(key: Buffer, random: Random): SecretBox {
  if (key.length !== SECRET_KEY_BYTES) throw new RangeError(`a secret key has ${SECRET_KEY_BYTES} bytes`);
  return {
    seal(plain, place) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed, place) {
      if (!sealed.startsWith(VERSION)) throw new Error('not a sealed secret of a known version');
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64');
      // The length is stated: otherwise a tag cut down to 4 bytes would be accepted.
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), options)
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
  };
}
