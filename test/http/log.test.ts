import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIds } from '../../src/kernel/ids.ts';
import { maskLine, maskText } from '../../src/kernel/mask.ts';
import { createLogger } from '../../src/log.ts';
import { fakeClock } from '../support/fake-clock.ts';

function recorded(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) }));
  for (const line of lines) expect(JSON.parse(line)).toBeTypeOf('object');
  return lines.join('');
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const base62 = `${letters}${letters.toUpperCase()}0123456789`;
const word = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });
const digits = (length: number) => word('0123456789', length, length);

const phone = digits(8).map((rest) => `9${rest}`);
const email = fc
  .tuple(word(`${letters}0123456789.+_-`, 1, 30), word(letters, 1, 20), word(letters, 2, 8))
  .map(([local, host, top]) => `q${local}@${host}.${top}`);
const secret = fc.oneof(
  word(base62, 43, 43).map((text) => `sk_${text}`),
  word(`${base62}+/`, 43, 43).map((text) => `whsec_${text}=`),
  fc.tuple(word(letters.toUpperCase(), 3, 3), digits(6)).map(([a, b]) => `${a}-${b}`),
  fc.tuple(digits(4), digits(4), digits(4), digits(4)).map((parts) => parts.join('-')),
  phone,
  phone.map((number) => `${number.slice(0, 3)} ${number.slice(3, 6)} ${number.slice(6)}`),
  fc
    .tuple(fc.constantFrom('+351', '00351', '351#', '+351 ', '%2B351', '351%23'), phone)
    .map((parts) => parts.join('')),
  email,
);

/** Text around a secret, with JSON and percent escapes. */
const before = fc.constantFrom(
  '',
  ' ',
  '"',
  '(',
  '\n',
  '\t',
  '=',
  ':',
  '[',
  '/',
  ',',
  '#',
  '%23',
  '%3D',
  'ção ',
);
const after = fc.constantFrom('', ' ', '"', ')', '\n', '&x=1', ',', '; ', '. ', ']', '}');

test('keys, secrets, phone numbers and e-mail addresses are masked in every text', () => {
  fc.assert(
    fc.property(before, secret, after, fc.string({ maxLength: 20 }), (left, value, right, padding) => {
      const text = `${padding} ${left}${value}${right}`;
      const log = recorded((logger) => {
        logger.info({ detail: { deep: [text] } }, text);
        logger.child({ bound: text }).error(new Error(text));
      });
      expect(log).not.toContain(value);
      expect(log).toContain('[masked]');
    }),
    { numRuns: 300 },
  );
});

test('every Bearer value is masked', () => {
  fc.assert(
    fc.property(word(`${base62}._~+/-`, 1, 60), (token) => {
      const log = recorded((logger) => logger.info(`sent Authorization: bEaReR ~${token}~ to it`));
      expect(log).not.toContain(`~${token}~`);
      expect(log).toContain('to it');
    }),
  );
});

test('the values of members with a secret name are masked at every depth', () => {
  const names = [
    ...['Authorization', 'cookie', 'apiKey', 'secret', 'webhookSecret', 'credentials', 'key'],
    ...['mbway_key', 'mbKey', 'backofficeKey', 'antiPhishingKey'],
    ...['email', 'phone', 'phoneNumber', 'customer', 'customerName', 'shippingAddress'],
  ];
  const log = recorded((logger) => {
    for (const name of names) {
      logger.info({ [name]: 'Hidden1' });
      logger.info({ a: { b: { c: [{ [name]: { deep: 'Hidden2' } }] } } });
      logger.info({ a: { [name]: 912_345_678 } });
    }
    logger.info(
      `GET /callbacks/ifthenpay?key=Hidden3&orderId=ab1 {"antiPhishingKey":"Hidden 4"} apk='Hidden5'`,
    );
    logger.info(`postgres://user:Hidden6@db.example/x and postgres://user:Hidden7@db:5432/x`);
    logger.info({ 'Hidden8@mail.pt': 1, a: { '912345678': 2 } });
  });
  expect(log).not.toMatch(/Hidden|912345678/);
  expect(log).toContain('orderId=ab1');
});

test('ids, instants, durations, amounts and counts are not masked', () => {
  const ids = createIds(fakeClock(1_791_234_567_890), (length) => Buffer.alloc(length, 0x99));
  const numbers = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(912_345_678),
  );
  fc.assert(
    fc.property(numbers, fc.integer({ min: 0, max: 4e12 }), fc.uuid(), (number, instant, uuid) => {
      const fields = {
        transaction: ids('tx'),
        attempt: `att_${uuid.replaceAll('-', '')}`,
        uuid,
        number: Object.is(number, -0) ? 0 : number,
        at: new Date(instant).toISOString(),
        text: `took 0.912345678 s, ${instant + 1e12} ms, 91234567 and 9123456789 rows, ${ids('dlv')}`,
        cents: '19.99',
      };
      const log = recorded((logger) => logger.info(fields, fields.text));
      expect(JSON.parse(log)).toMatchObject(fields);
    }),
  );
});

test('a stack trace keeps its paths', () => {
  const stack = 'at x (file:///srv/node_modules/@fastify/static/index.js:9:12) kysely@0.29.9/dist';
  expect(maskText(stack)).toBe(stack);
});

test('a line stays one line of JSON with its level and time, masked or not', () => {
  const log = recorded((logger) => {
    logger.warn('first\nsecond');
    logger.warn('call 912345678\nsecond');
  });
  expect(log.split('\n').filter(Boolean)).toHaveLength(2);
  expect(JSON.parse(log.split('\n')[1] ?? '')).toMatchObject({ level: 'warn', msg: 'call [masked]\nsecond' });
});

test('a very long line is masked in linear time', () => {
  const line = `${'a'.repeat(200_000)}${'9'.repeat(200_000)}@`;
  const startedAt = performance.now();
  maskLine(JSON.stringify({ msg: line }));
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
