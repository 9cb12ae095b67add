import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '../../src/backoffice/people/password.ts';
import { checkPassword, isCommon } from '../../src/backoffice/people/password-rules.ts';

const CHEAP = { passwordCost: 4 };

test('a hash contains its parameters and salt and verifies only its password', async () => {
  const [one, two] = await Promise.all([
    hashPassword(CHEAP, 'three green bicycles'),
    hashPassword(CHEAP, 'three green bicycles'),
  ]);
  expect(one).toMatch(/^scrypt\$4\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(one).not.toBe(two);
  expect(await verifyPassword(CHEAP, 'three green bicycles', one)).toBe(true);
  expect(await verifyPassword(CHEAP, 'three green bicycle', one)).toBe(false);
  // A hash contains its own cost, which may differ from that of a new hash.
  expect(await verifyPassword({ passwordCost: 5 }, 'three green bicycles', one)).toBe(true);
  expect(await verifyPassword(CHEAP, '', null)).toBe(false);
});

test('composed and decomposed accents are the same password', async () => {
  const hash = await hashPassword(CHEAP, 'três coraç\u00f5es verdes');
  expect(await verifyPassword(CHEAP, 'três coraço\u0303es verdes', hash)).toBe(true);
});

test('a full queue refuses sign-ins and answers those that wait', async () => {
  const hash = await hashPassword(CHEAP, 'three green bicycles');
  const answers = await Promise.allSettled(
    Array.from({ length: 60 }, () => verifyPassword(CHEAP, 'three green bicycles', hash)),
  );
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(60 - 32);
  expect(refused[0]).toMatchObject({ reason: { code: 'TOO_MANY_REQUESTS', reason: 'sign_in_busy' } });
  expect(await verifyPassword(CHEAP, 'three green bicycles', hash)).toBe(true);
});

test.each([
  'passwordpassword',
  'Password123456!',
  '123456789012',
  '210987654321',
  'qwertyuiopas',
  'qwerty123456',
  '1q2w3e4r5t6y7u',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'benfica2024!!',
  '!!!Sporting-1906',
  'p@ssw0rd12345',
  'iloveyouiloveyou',
  'CorrectHorseBatteryStaple',
])('%s is refused as common', (password) => {
  expect(isCommon(password)).toBe(true);
  expect(() => checkPassword(password, 'ana@example.pt')).toThrow(
    expect.objectContaining({ reason: 'password_common' }),
  );
});

test.each(['três bicicletas verdes', 'k7vq2-m9xwd-4hjtr-8bnpe', 'o gato subiu ao telhado', 'Zx9#kLm2$qWv'])(
  '%s is accepted',
  (password) => {
    expect(() => checkPassword(password, 'ana@example.pt')).not.toThrow();
  },
);

test.each([
  ['ana.silva@example.pt', 'ana.silva@example.pt'],
  ['ana.silva@example.pt', 'Ana.Silva2026!'],
  ['ana.silva@example.pt', 'ana.silvaana.silva'],
])('for %s, %s is refused as too similar to the e-mail', (email, password) => {
  expect(() => checkPassword(password, email)).toThrow(
    expect.objectContaining({ reason: 'password_address' }),
  );
});

test('any text is accepted or refused with one reason and a sentence', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 250 }), (password) => {
      try {
        checkPassword(password, 'ana.silva@example.pt');
      } catch (error) {
        expect(error).toMatchObject({
          code: 'BAD_REQUEST',
          reason: expect.stringMatching(/^password_/),
          message: expect.stringMatching(/^[A-Z].*\.$/),
        });
      }
    }),
  );
});
