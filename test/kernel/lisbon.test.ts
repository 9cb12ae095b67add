import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import {
  dayAfter,
  instantFromBankText,
  lisbonDateText,
  lisbonDay,
  lisbonDayStart,
  lisbonEndOfDay,
  lisbonText,
  lisbonTime,
} from '../../src/kernel/lisbon.ts';

const SECOND_MS = 1000;
const anInstant = fc
  .integer({ min: Date.UTC(2020, 0) / SECOND_MS, max: Date.UTC(2040, 0) / SECOND_MS })
  .map((seconds) => seconds * SECOND_MS);

const iso = (instant: number) => new Date(instant).toISOString();

test('an instant formatted for the bank parses to itself, except in the repeated hour of October', () => {
  fc.assert(
    fc.property(anInstant, (instant) => {
      const back = instantFromBankText(lisbonText(instant));
      if (back !== instant) {
        // The first pass of the repeated hour reads as the second: an hour later, on the same clock face.
        expect(back).toBe(instant + HOUR_MS);
        expect(lisbonText(instant + HOUR_MS)).toBe(lisbonText(instant));
      }
    }),
  );
});

test('the end of a day is 23:59:59 of the right date, always ahead, within a day of 25 hours', () => {
  fc.assert(
    fc.property(anInstant, fc.constantFrom(0, 1, 3, 31, 120), (instant, days) => {
      const end = lisbonEndOfDay(instant, days);
      expect(lisbonTime(end)).toMatchObject({ hour: 23, minute: 59, second: 59 });
      const { year, month, day } = lisbonTime(instant);
      const date = new Date(Date.UTC(year, month - 1, day + days));
      expect(lisbonTime(end)).toMatchObject({ month: date.getUTCMonth() + 1, day: date.getUTCDate() });
      expect(end).toBeGreaterThan(instant - SECOND_MS);
      expect(end - instant).toBeLessThan((days * 24 + 25) * HOUR_MS);
      expect(lisbonDateText(end + SECOND_MS)).not.toBe(lisbonDateText(end));
    }),
  );
});

test.each([
  ['31-12-2026', '2026-12-31T23:59:59.000Z'],
  ['01-07-2026', '2026-07-01T22:59:59.000Z'],
  ['29-02-2028', '2028-02-29T23:59:59.000Z'],
])('the bare date %s ends at %s', (text, end) => {
  expect(iso(lisbonEndOfDay(instantFromBankText(text) ?? 0))).toBe(end);
});

test.each([
  ['05-01-2026', '2026-01-05T00:00:00.000Z'],
  ['05-01-2026 10:20', '2026-01-05T10:20:00.000Z'],
  ['05-01-2026T10:20:30', '2026-01-05T10:20:30.000Z'],
  [' 05-07-2026 10:20:30 ', '2026-07-05T09:20:30.000Z'],
  // Within the hour that the clock skips.
  ['29-03-2026 01:30:00', '2026-03-29T00:30:00.000Z'],
])('%j is %s', (text, instant) => {
  expect(iso(instantFromBankText(text) ?? 0)).toBe(instant);
});

test.each([
  '',
  '31-02-2026',
  '29-02-2026',
  '00-01-2026',
  '01-13-2026',
  '1-1-2026',
  '2026-01-05',
  '05-01-2026 24:00:00',
  '05-01-2026 10:60:00',
  '05-01-2026 10:20:60',
  '05/01/2026',
])('%j is no time of the bank', (text) => {
  expect(instantFromBankText(text)).toBeNull();
});

test('no text makes the parser throw', () => {
  const nearly = fc.stringMatching(/^\d{2}-\d{2}-\d{4}( \d{2}:\d{2}:\d{2})?$/);
  fc.assert(
    fc.property(fc.oneof(fc.string(), nearly), (text) => {
      const read = instantFromBankText(text);
      return read === null || Number.isFinite(read);
    }),
  );
});

test('a Lisbon day begins at its first instant, follows the day before, and is what a calendar there shows', () => {
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' });
  fc.assert(
    fc.property(anInstant, (instant) => {
      const day = lisbonDay(instant);
      expect(day).toBe(calendar.format(instant));
      const start = lisbonDayStart(day) ?? Number.NaN;
      expect(start).toBeLessThanOrEqual(instant);
      expect(lisbonDay(start)).toBe(day);
      expect(lisbonDay(start - 1)).toBe(dayAfter(day, -1));
      expect(dayAfter(dayAfter(day, 400), -400)).toBe(day);
    }),
  );
  for (const none of ['2026-02-29', '2026-13-01', '2026-1-1', 'today', ''])
    expect(lisbonDayStart(none)).toBeNull();
});
