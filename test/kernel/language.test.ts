import { expect, test } from 'vitest';
import { formatOf } from '../../src/backoffice/web/lib/format-of.ts';
import { amountText } from '../../src/kernel/language.ts';
import { AMOUNT_MAX_CENTS } from '../../src/kernel/money.ts';

test('mails and the payment page write an amount as the back office does', () => {
  expect(amountText(4990, 'pt')).toBe('49,90\u00a0€');
  expect(amountText(123_456, 'pt')).toBe('1\u00a0234,56\u00a0€');
  expect(amountText(123_456, 'en')).toBe('€1,234.56');
  for (const language of ['pt', 'en'] as const)
    for (const cents of [1, 99_999, 100_000, 999_999, 1_000_000, AMOUNT_MAX_CENTS])
      expect(amountText(cents, language)).toBe(formatOf(language).euro(cents));
});
