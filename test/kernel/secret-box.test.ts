import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox, SECRET_KEY_BYTES } from '../../src/kernel/secret-box.ts';

const box = createSecretBox(Buffer.alloc(SECRET_KEY_BYTES, 7), systemRandom);
const text = fc.string({ unit: 'binary' });

test('an encrypted text decrypts at its place and at no other', () => {
  fc.assert(
    fc.property(text, fc.string(), fc.string(), (plain, place, other) => {
      fc.pre(place !== other);
      const encrypted = box.encrypt(plain, place);
      expect(box.decrypt(encrypted, place)).toBe(plain);
      expect(() => box.decrypt(encrypted, other)).toThrow();
      expect(box.decryptCached(encrypted, place)).toBe(plain);
      expect(() => box.decryptCached(encrypted, other)).toThrow();
    }),
  );
});

test('another key does not decrypt it', () => {
  const other = createSecretBox(randomBytes(SECRET_KEY_BYTES), systemRandom);
  fc.assert(
    fc.property(text, (plain) => {
      const encrypted = box.encrypt(plain, 'place');
      expect(() => other.decrypt(encrypted, 'place')).toThrow();
      expect(() => other.renew(encrypted, 'place')).toThrow();
    }),
  );
});

test('a changed or added byte, or any missing bytes, make decryption fail', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 1, max: 255 }), (plain, at, flip) => {
      const encrypted = box.encrypt(plain, 'place');
      const bytes = Buffer.from(encrypted.slice(3), 'base64');
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at % bytes.length) ^ flip, at % bytes.length);
      const cut = Array.from({ length: bytes.length }, (_, length) => bytes.subarray(0, length));
      for (const forged of [changed, ...cut, Buffer.concat([bytes, Buffer.of(0)])]) {
        expect(() => box.decrypt(`v1.${forged.toString('base64')}`, 'place')).toThrow();
      }
    }),
  );
});

test('the same text encrypts differently each time, and its ciphertext does not contain it', () => {
  const plain = 'sk_a-secret-that-must-not-be-seen';
  const texts = new Set(Array.from({ length: 100 }, () => box.encrypt(plain, 'place')));
  expect(texts.size).toBe(100);
  for (const encrypted of texts) {
    expect(Buffer.from(encrypted.slice(3), 'base64').includes(plain)).toBe(false);
  }
});

test.each(['', 'v1.', 'v2.AAAA', 'plain text'])('%j is not an encrypted text', (encrypted) => {
  expect(() => box.decrypt(encrypted, 'place')).toThrow();
});

test('a key of another length is refused', () => {
  expect(() => createSecretBox(Buffer.alloc(16), systemRandom)).toThrow(RangeError);
  expect(() => createSecretBox(systemRandom(32), systemRandom, Buffer.alloc(16))).toThrow(RangeError);
});
