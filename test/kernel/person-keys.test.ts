import { expect, test } from 'vitest';
import { foldText } from '../../src/kernel/person-keys.ts';

test('a name of combining marks is folded in linear time', () => {
  const started = performance.now();
  expect(foldText(`Á${'\u{1d165}\u{1d16d}'.repeat(10_000)}na`)).toBe('ana');
  expect(performance.now() - started).toBeLessThan(2000);
});
