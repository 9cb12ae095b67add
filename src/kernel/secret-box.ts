import { createCipheriv, createDecipheriv, hash, timingSafeEqual } from 'node:crypto';
import type { Random } from './random.ts';

/**
 * Encrypts stored secrets that must be shown or used again (API keys, webhook secrets, bank credentials): AES-256-GCM
 * with a fresh 96-bit nonce, bound to a place so that a ciphertext moved to another row cannot be decrypted.
 */
export interface SecretBox {
  /** Encrypts to `v1.` and base64 of nonce, tag and ciphertext. `place` is a table, column and row: `api_keys.secret:key_1`. */
  encrypt(plain: string, place: string): string;
  /** Decrypts. Throws when the key or the place differs, or the text was altered. */
  decrypt(encrypted: string, place: string): string;
  /** As `decrypt`, and keeps the plain text in memory; for secrets that a request or a delivery needs. */
  decryptCached(encrypted: string, place: string): string;
  /** Encrypts again with the current key; null when the text already uses it. Throws as `decrypt` does. */
  renew(encrypted: string, place: string): string | null;
  /** Whether a previous key is set, because the key is being rotated. */
  readonly hasPrevious: boolean;
}

export const SECRET_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';
const CACHED_MAX = 10_000;

/** Creates a box with a key of 32 bytes. The `previous` key only decrypts. */
export function createSecretBox(key: Buffer, random: Random, previous: Buffer | null = null): SecretBox {
  for (const { length } of [key, previous ?? key]) {
    if (length !== SECRET_KEY_BYTES) throw new RangeError(`a secret key has ${SECRET_KEY_BYTES} bytes`);
  }
  const encrypt: SecretBox['encrypt'] = (plain, place) => {
    const nonce = random(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  };
  const decrypt: SecretBox['decrypt'] = (encrypted, place) => {
    if (previous === null) return decryptWith(key, encrypted, place);
    return decryptedOrNull(key, encrypted, place) ?? decryptWith(previous, encrypted, place);
  };
  const cache = new Map<string, string>();
  return {
    encrypt,
    decrypt,
    decryptCached(encrypted, place) {
      const name = `${place} ${encrypted}`;
      const known = cache.get(name);
      if (known !== undefined) return known;
      const plain = decrypt(encrypted, place);
      if (cache.size >= CACHED_MAX) cache.clear();
      cache.set(name, plain);
      return plain;
    },
    renew(encrypted, place) {
      if (previous === null) decryptWith(key, encrypted, place);
      if (previous === null || decryptedOrNull(key, encrypted, place) !== null) return null;
      return encrypt(decryptWith(previous, encrypted, place), place);
    },
    hasPrevious: previous !== null,
  };
}

/** Decrypts; null when the key does not fit. */
function decryptedOrNull(key: Buffer, encrypted: string, place: string): string | null {
  try {
    return decryptWith(key, encrypted, place);
  } catch {
    return null;
  }
}

function decryptWith(key: Buffer, encrypted: string, place: string): string {
  if (!encrypted.startsWith(VERSION))
    throw new Error('the text is not an encrypted secret of a known version');
  const bytes = Buffer.from(encrypted.slice(VERSION.length), 'base64');
  // Without the length, a tag truncated to 4 bytes would be accepted.
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), options)
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
    'utf8',
  );
}

/** Compares two secrets in a time that does not depend on their content. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
