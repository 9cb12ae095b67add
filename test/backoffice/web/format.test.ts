import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatOf, zoneAt } from '../../../src/backoffice/web/lib/format-of.ts';
import { amountText } from '../../../src/kernel/language.ts';
import { AMOUNT_MAX_CENTS } from '../../../src/kernel/money.ts';

const pt = formatOf('pt');
const en = formatOf('en');
const SUMMER = Date.UTC(2026, 6, 1, 22, 30, 5);
const WINTER = Date.UTC(2026, 11, 1, 22, 30, 5);

test('an amount is written as in Portugal, with spaces that do not break, and as in English', () => {
  expect(pt.euro(123_456)).toBe('1\u00a0234,56\u00a0€');
  expect(pt.euro(5)).toBe('0,05\u00a0€');
  expect(pt.euro(123_456_789)).toBe('1\u00a0234\u00a0567,89\u00a0€');
  expect(pt.euro(-1_050)).toBe('−10,50\u00a0€');
  expect(en.euro(123_456)).toBe('€1,234.56');
});

test('mails and the payment page write an amount as the back office does', () => {
  for (const cents of [1, 99_999, 100_000, 999_999, 1_000_000, AMOUNT_MAX_CENTS]) {
    expect(amountText(cents, 'pt')).toBe(pt.euro(cents));
    expect(amountText(cents, 'en')).toBe(en.euro(cents));
  }
});

test('no cent is lost in the writing of an amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (cents) => {
      expect(BigInt(pt.euro(cents).replace(/\D/g, ''))).toBe(BigInt(cents));
      expect(BigInt(en.euro(cents).replace(/\D/g, ''))).toBe(BigInt(cents));
    }),
  );
});

test('times are Lisbon’s, in summer and in winter, and name the zone', () => {
  expect(pt.time(SUMMER)).toBe('1\u00a0jul\u00a02026, 23:30');
  expect(en.time(WINTER)).toBe('1\u00a0Dec\u00a02026, 22:30');
  expect([zoneAt(SUMMER), zoneAt(WINTER)]).toEqual(['WEST', 'WET']);
  expect(pt.timeInFull(SUMMER)).toBe('1\u00a0jul\u00a02026, 23:30:05 (hora de Lisboa, WEST)');
  expect(en.timeInFull(WINTER)).toBe('1\u00a0Dec\u00a02026, 22:30:05 (Lisbon time, WET)');
});

test('shares, counts, days and spans are formatted in the language', () => {
  expect([pt.percent(0.873), pt.percent(1), en.percent(0.873)]).toEqual([
    '87,3\u00a0%',
    '100\u00a0%',
    '87.3%',
  ]);
  expect([pt.count(1_234_567), en.count(1_234_567)]).toEqual(['1\u00a0234\u00a0567', '1,234,567']);
  expect([pt.day('2026-02-28'), en.day('2026-02-28', 'short')]).toEqual([
    '28\u00a0fev\u00a02026',
    '28\u00a0Feb',
  ]);
  expect([pt.duration(250), pt.duration(1_240), pt.duration(240_000), en.duration(93_600_000)]).toEqual([
    '250\u00a0ms',
    '1,2\u00a0s',
    '4\u00a0min',
    '1\u00a0d 2\u00a0h',
  ]);
  expect([pt.ago(SUMMER - 300_000, SUMMER), en.ago(SUMMER - 7_200_000, SUMMER)]).toEqual([
    'há 5 min',
    '2 hr ago',
  ]);
  expect([pt.ago(SUMMER, SUMMER), en.ago(SUMMER, SUMMER)]).toEqual(['agora mesmo', 'just now']);
});
