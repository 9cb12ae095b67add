import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell, csvPhone } from '../../src/kernel/csv.ts';

/** One cell as RFC 4180 reads it. */
function unquote(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
const BLANKS = ['', ' ', '\t', '\r', '\n', '\u0001', '\u007f', '\u200b', '\ufeff', '\u00a0', '"'];
const wild = fc.string({
  unit: fc.constantFrom('a', '1', ',', ';', ...BLANKS, ...SIGNS, 'ã'),
  maxLength: 12,
});

test('any text survives its cell, but for the apostrophes that disarm formulas', () => {
  fc.assert(
    fc.property(wild, (text) => {
      const cell = csvCell(text);
      const quoted = /^"(?:[^"]|"")*"$/.test(cell);
      expect(quoted || !/[",;\t\r\n]/.test(cell)).toBe(true);
      expect(unquote(cell).replaceAll("'", '')).toBe(text);
      // Text in which no sign of a formula follows a blank or a separator is left as it is.
      if (!/(?:^|[;,\s])[^a1ã]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text)) expect(unquote(cell)).toBe(text);
    }),
  );
});

test('no cell of a line starts like a formula, whatever the separator of the spreadsheet', () => {
  const value = fc.oneof(wild, fc.array(wild, { maxLength: 3 }), fc.nat(), fc.constant(null));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), fc.constantFrom(',', ';'), (values, separator) => {
      const line = values.map((one) => csvCell(one)).join(separator);
      for (const other of [',', ';', '\t']) {
        // With the quotes read as text, and with the quotes read as quotes where a cell starts with one.
        const cells = [...line.split(new RegExp(`[${other}\r\n]`)), ...cellsOf(line, other)];
        for (const cell of cells) expect(cell).not.toMatch(/^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u);
      }
    }),
    { numRuns: 500 },
  );
});

/** The cells of lines as a lenient reader with this separator finds them. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(at + 1) === '"') cell += text.charAt(++at);
      else quoted = false;
    } else if (sign === '"' && cell === '') quoted = true;
    else if (sign === separator || sign === '\r' || sign === '\n') {
      cells.push(cell);
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell];
}

test.each([
  ['\u0001=1+1', "'\u0001=1+1"],
  ['Ana;=1+1', `"Ana;'=1+1"`],
  ['Ana;"=1+1"', `"Ana;""'=1+1"""`],
  ['Ana\t \u200b@x', `"Ana\t \u200b'@x"`],
  ['Silva; Filhos', '"Silva; Filhos"'],
  ['a-b, c+d = e', '"a-b, c+d = e"'],
  ['+351 912 345 678', "'+351 912 345 678"],
])('%j is written as %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test.each([
  ['+351 912 345 678', '(+351) 912 345 678'],
  ['+351912345678', '(+351) 912 345 678'],
  ['00351 912345678', '(+351) 912 345 678'],
  ['+34-612-34-56-78', '(+34) 612-34-56-78'],
  ['+447700900123', '(+44) 7700900123'],
  ['+1 202 555 0100', '(+1) 202 555 0100'],
  ['912 345 678', '912 345 678'],
  // Not a phone number: the guard of the cell stays.
  ['+351+cmd', "'+351+cmd"],
  ['+1-1;=2', `"'+1-1;'=2"`],
  ['=1+1', "'=1+1"],
])('the phone %j is written as %j', (phone, cell) => {
  expect(csvCell(csvPhone(phone))).toBe(cell);
});

test('numbers, also negative ones, are written unchanged, and null is an empty cell', () => {
  expect([19.99, 0, -5.25, null, undefined].map((value) => csvCell(value))).toEqual([
    '19.99',
    '0',
    '-5.25',
    '',
    '',
  ]);
});

test.each([' ', '\t', '"', ';=', '; ', '\u200b'])('cells that repeat %j take linear time', (unit) => {
  const bestMs = (length: number): number => {
    const text = `ā;${unit.repeat(length / unit.length)}x=`;
    const times = [1, 2, 3].map(() => {
      const before = process.threadCpuUsage();
      expect(unquote(csvCell(text)).replaceAll("'", '') === text).toBe(true);
      return process.threadCpuUsage(before).user / 1000;
    });
    return Math.min(...times);
  };
  bestMs(20_000);
  // Quadratic time would grow 256-fold.
  expect(bestMs(320_000)).toBeLessThan(Math.max(1, bestMs(20_000)) * 80);
});
