import { expect, test } from 'vitest';
import { largeRows, rowsFor } from '../../../scripts/bench/growth/rows.ts';
import { readOptions } from '../../../scripts/bench/options.ts';
import { temporaryFolder } from '../../support/database.ts';

test('growth is judged at ten million rows wherever the disk has room for them, and else says a smaller number', () => {
  expect(rowsFor(45e9)).toBe(10_000_000);
  expect(rowsFor(45e9 - 1)).toBe(300_000);
  expect(largeRows(readOptions(['--rows', '5000']).rows, temporaryFolder())).toBe(5000);
  expect(readOptions([]).rows).toBeNull();
  expect(readOptions(['--smoke']).rows).toBe(2000);
});
