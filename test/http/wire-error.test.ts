import { expect, it } from 'vitest';
import { createErrorHelp } from '../../src/http/error-help.ts';
import { ERROR_TEXTS } from '../../src/kernel/errors.ts';
import { toServiceError } from '../../src/rpc/wire-error.ts';

it('an unknown failure is INTERNAL_ERROR with the fixed sentence', () => {
  for (const cause of [new Error('SQLITE_FULL'), 'text', null]) {
    const error = toServiceError(cause);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', message: ERROR_TEXTS.INTERNAL_ERROR });
    expect(error.cause).toBe(cause);
  }
});

it('an error links to its section of the reference under the public address', () => {
  const help = (publicUrl: string | null) => createErrorHelp({ publicUrl })('RATE_LIMITED');
  expect(help(null)).toBe('</docs/reference#error-RATE_LIMITED>; rel="help"');
  expect(help('https://pagamentos-já.example/€>')).toBe(
    '<https://xn--pagamentos-j-nbb.example/%E2%82%AC%3E/docs/reference#error-RATE_LIMITED>; rel="help"',
  );
});
