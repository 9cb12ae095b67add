import { expect, it } from 'vitest';
import { createErrorHelp } from '../../src/http/error-help.ts';
import { type ErrorCode, ServiceError } from '../../src/kernel/errors.ts';
import { trpcErrorShape } from '../../src/rpc/wire-error.ts';

it('an error links to its section of the reference under the public address', () => {
  const help = (publicUrl: string | null) => createErrorHelp({ publicUrl })('RATE_LIMITED');
  expect(help(null)).toBe('</docs/reference#error-RATE_LIMITED>; rel="help"');
  expect(help('https://pagamentos-já.example/€>')).toBe(
    '<https://xn--pagamentos-j-nbb.example/%E2%82%AC%3E/docs/reference#error-RATE_LIMITED>; rel="help"',
  );
});

it.each<[ErrorCode, number, number]>([
  ['UNAUTHORIZED', 401, -32001],
  ['RATE_LIMITED', 429, -32029],
  ['BANK_UNAVAILABLE', 502, -32603],
])('%s has the status and the number that a tRPC client expects', (code, httpStatus, number) => {
  const shape = trpcErrorShape(new ServiceError(code, 'A sentence.'), 'req_1');
  expect(shape).toMatchObject({ code: number, data: { httpStatus } });
});
