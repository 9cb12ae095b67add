import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cents,
  centsFromDecimal,
  centsFromEuros,
  centsFromTyped,
  decimalFromCents,
  eurosFromCents,
} from '../../src/kernel/money.ts';

const anAmount = fc.integer({ min: 0, max: 9_999_999 }).map(cents);
/** Up to a thousand times the largest amount: what a bank's list could sum up. */
const aLargeAmount = fc.integer({ min: 0, max: 9_999_999_999 }).map(cents);

test('an amount in JSON has at most two decimals and reads back as the same', () => {
  fc.assert(
    fc.property(aLargeAmount, (amount) => {
      const json = JSON.stringify(eurosFromCents(amount));
      expect(json).toMatch(/^\d+(\.\d{1,2})?$/);
      expect(centsFromEuros(JSON.parse(json))).toBe(amount);
    }),
  );
});

test('a decimal of two places is its cents, digit by digit', () => {
  fc.assert(
    fc.property(fc.nat({ max: 99_999 }), fc.nat({ max: 99 }), (whole, rest) => {
      const text = `${whole}.${String(rest).padStart(2, '0')}`;
      expect(centsFromEuros(Number(text))).toBe(whole * 100 + rest);
      expect(centsFromDecimal(text)).toBe(whole * 100 + rest);
    }),
  );
});

test('an amount with more than two decimals is refused', () => {
  fc.assert(
    fc.property(fc.nat({ max: 99_999 }), fc.integer({ min: 1, max: 9999 }), (whole, rest) => {
      fc.pre(rest % 100 !== 0);
      const text = `${whole}.${String(rest).padStart(4, '0')}`;
      expect(centsFromEuros(Number(text))).toBeNull();
      expect(centsFromDecimal(text)).toBeNull();
    }),
  );
});

test('a negative amount is refused, and a negative zero is a plain zero', () => {
  expect([centsFromEuros(-0.01), centsFromEuros(-1)]).toEqual([null, null]);
  expect(Object.is(centsFromEuros(-0), 0)).toBe(true);
});

test.each([
  ['12.50', 1250],
  ['12.5', 1250],
  [12.5, 1250],
  ['49.90000', 4990],
  [' 7 ', 700],
  ['0.00', 0],
  ['1.001', null],
  ['1,50', null],
  ['-1.00', null],
  ['+1.00', null],
  ['1e3', null],
  ['', null],
  ['.5', null],
  [null, null],
  [true, null],
  [{}, null],
  ['9'.repeat(14), null],
])('the bank text %j is %j cents', (text, expected) => {
  expect(centsFromDecimal(text)).toBe(expected);
});

test('the bank form of an amount has two decimals and reads back as the same', () => {
  fc.assert(
    fc.property(anAmount, (amount) => {
      const text = decimalFromCents(amount);
      expect(text).toMatch(/^\d+\.\d{2}$/);
      expect(centsFromDecimal(text)).toBe(amount);
    }),
  );
});

test('no text makes the decimal parser throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double(), fc.anything()), (value) => {
      const read = centsFromDecimal(value);
      return read === null || (Number.isSafeInteger(read) && read >= 0);
    }),
  );
});

test.each([0.5, -1, Number.NaN, 2 ** 53])('%d is no count of cents', (value) => {
  expect(() => cents(value)).toThrow(RangeError);
});

test('a decimal with a long run of zeros is read in linear time', () => {
  const started = performance.now();
  expect(centsFromDecimal(`1.5${'0'.repeat(2_000_000)}`)).toBe(150);
  expect(centsFromDecimal(`1.5${'0'.repeat(2_000_000)}1`)).toBeNull();
  expect(performance.now() - started).toBeLessThan(2000);
});

test('an amount as a person types it, in either language, is read exactly', () => {
  const spaced = (language: string, amount: number) =>
    new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR', useGrouping: 'always' }).format(
      amount / 100,
    );
  fc.assert(
    fc.property(anAmount, (amount) => {
      for (const text of [spaced('pt-PT', amount), spaced('pt-BR', amount), spaced('en-IE', amount)])
        expect(centsFromTyped(text), text).toBe(amount);
    }),
  );
});

test.each([
  ['12,5', 1250],
  ['12.5 €', 1250],
  ['1.234,56', 123_456],
  ['1,234.56', 123_456],
  ['1.234.567,8', 123_456_780],
  [' € 12.50', 1250],
  ['1 234', 123_400],
  ['1 234 567,8', 123_456_780],
  ['12€50', null],
  ['12 € 50', null],
  ['12 50', null],
  ['12\n50', null],
  ['1 5', null],
  ['12 345 6', null],
  ['1.500', null],
  ['1,500', null],
  ['1.23,4', null],
  ['1.234.56', null],
  ['1,234,56', null],
  ['12,', null],
  ['', null],
  ['-1', null],
  ['1e3', null],
])('the typed amount %j is %s cents', (text, amount) => {
  expect(centsFromTyped(text)).toBe(amount);
});
