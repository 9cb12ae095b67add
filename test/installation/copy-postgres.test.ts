import { expect, test } from 'vitest';
import { copiedNames, ODD_NAMES } from '../support/copied-names.ts';

test('text of any kind arrives as it was, but for NUL, which PostgreSQL cannot keep', async () => {
  expect(await copiedNames([...ODD_NAMES, 'nul\0'])).toEqual([...ODD_NAMES, 'nul\uFFFD']);
});
