import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell } from '../../src/leads/csv.ts';

/** One cell as RFC 4180 reads it. */
function unquote(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

test('any text survives its cell, but for the apostrophe that disarms a formula', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', '=', '+', ' ', 'ã') }),
      (text) => {
        const cell = csvCell(text);
        const quoted = /^"(?:[^"]|"")*"$/.test(cell);
        expect(quoted || !/[",\r\n]/.test(cell)).toBe(true);
        expect([text, `'${text}`]).toContain(unquote(cell));
      },
    ),
  );
});

test('no cell starts as a formula does, also behind blanks and unseen characters', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', ' ', '\t', '\r', '\n', '\u200b', '\ufeff', '\u00a0'),
      fc.constantFrom('=', '+', '-', '@', '＝'),
      fc.string(),
      (blank, sign, text) => unquote(csvCell(blank + sign + text)).startsWith("'"),
    ),
  );
});

test('numbers stay numbers and nothing stays empty', () => {
  expect([csvCell(19.99), csvCell(0), csvCell(null), csvCell(undefined)]).toEqual(['19.99', '0', '', '']);
});
