import { expect, it } from 'vitest';
import { createErrorHelp } from '../../src/http/error-help.ts';

it('an error links to its section of the reference under the public address', () => {
  const help = (publicUrl: string | null) => createErrorHelp({ publicUrl })('RATE_LIMITED');
  expect(help(null)).toBe('</docs/reference#error-RATE_LIMITED>; rel="help"');
  expect(help('https://pagamentos-já.example/€>')).toBe(
    '<https://xn--pagamentos-j-nbb.example/%E2%82%AC%3E/docs/reference#error-RATE_LIMITED>; rel="help"',
  );
});
