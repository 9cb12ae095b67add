import { expect, test } from 'vitest';
import { createErrorHelp } from '../../src/http/error-help.ts';

test.each([
  [null, '</docs/reference#error-RATE_LIMITED>; rel="help"'],
  ['https://pay.example', '<https://pay.example/docs/reference#error-RATE_LIMITED>; rel="help"'],
  ['https://pay.example/base', '<https://pay.example/base/docs/reference#error-RATE_LIMITED>; rel="help"'],
  [
    'https://pagamentos-já.example/€>',
    '<https://xn--pagamentos-j-nbb.example/%E2%82%AC%3E/docs/reference#error-RATE_LIMITED>; rel="help"',
  ],
])('under the public address %s an error links to its section of the reference', (publicUrl, link) => {
  expect(createErrorHelp({ publicUrl })('RATE_LIMITED')).toBe(link);
});
