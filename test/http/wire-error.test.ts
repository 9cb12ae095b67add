import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createErrorHelp } from '../../src/http/error-help.ts';
import { ERROR_STATUS, ERROR_TEXTS, ServiceError } from '../../src/kernel/errors.ts';
import { normalise } from '../../src/rpc/normalise.ts';
import { errorBody, inputFault, toServiceError, trpcErrorShape } from '../../src/rpc/wire-error.ts';

function faultsOf(schema: z.ZodType, input: unknown): ServiceError {
  return inputFault(schema.safeParse(input).error?.issues ?? []);
}

describe('an error on the wire', () => {
  it('names each member at fault once, as a dotted path with indices, in one sentence', () => {
    const schema = z.object({
      orderId: z.string('is required'),
      customer: z.object({ email: z.email('must be a valid e-mail address.') }),
      items: z.array(z.object({ quantity: z.int('must be whole').min(1, 'must be at least 1') })),
    });
    const error = faultsOf(schema, { customer: { email: 'x' }, items: [{ quantity: -1.5 }, {}] });
    expect(error.code).toBe('INVALID_FIELDS');
    expect(error.fields).toEqual(['orderId', 'customer.email', 'items[0].quantity', 'items[1].quantity']);
    expect(error.message).toMatch(/^orderId: is required; customer\.email: must be a valid e-mail address; /);
    expect(error.message).toMatch(/[^.]\.$/);
  });

  it('of an input that is no object is INVALID_BODY; a rule over the complete object is not', () => {
    expect(faultsOf(z.object({}), [1]).code).toBe('INVALID_BODY');
    const rule = faultsOf(
      z.object({}).refine(() => false, 'one or the other'),
      {},
    );
    expect([rule.code, rule.message, rule.fields]).toEqual([
      'INVALID_FIELDS',
      'one or the other.',
      undefined,
    ]);
  });

  it('is INTERNAL_ERROR with the fixed sentence for an unknown failure', () => {
    const known = new ServiceError('BANK_REFUSED', 'No.');
    expect(toServiceError(known)).toBe(known);
    for (const cause of [
      new Error('SQLITE_FULL'),
      'text',
      null,
      z.object({ a: z.string() }).safeParse({}).error,
    ]) {
      const error = toServiceError(cause);
      expect(error).toMatchObject({ code: 'INTERNAL_ERROR', message: ERROR_TEXTS.INTERNAL_ERROR });
      expect(error.cause).toBe(cause);
    }
  });

  it('has the same members through REST and tRPC, for every code', () => {
    for (const code of Object.keys(ERROR_STATUS) as (keyof typeof ERROR_STATUS)[]) {
      const error = new ServiceError(code, 'Sentence.', { fields: ['a'], detail: 'secret' });
      const body = errorBody(error, 'req_1');
      expect(body).toEqual({ error: 'Sentence.', code, fields: ['a'], requestId: 'req_1' });
      expect(trpcErrorShape(error, 'req_1').data).toEqual({ ...body, httpStatus: ERROR_STATUS[code] });
    }
  });
});

it('an error links to its section of the reference under the public address', () => {
  const help = (publicUrl: string | null) => createErrorHelp({ publicUrl })('RATE_LIMITED');
  expect(help(null)).toBe('</docs/reference#error-RATE_LIMITED>; rel="help"');
  expect(help('https://pagamentos-já.example/€>')).toBe(
    '<https://xn--pagamentos-j-nbb.example/%E2%82%AC%3E/docs/reference#error-RATE_LIMITED>; rel="help"',
  );
});

describe('normalising', () => {
  it('removes null and blank members at every depth and keeps array elements', () => {
    const input = { a: null, b: ' \t', c: 0, d: false, e: [null, '', { f: null, g: 1 }], h: { i: '' } };
    expect(normalise(input)).toEqual({ c: 0, d: false, e: [null, '', { g: 1 }], h: {} });
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = JSON.stringify(normalise(value));
        expect(JSON.stringify(normalise(value))).toBe(once);
      }),
    );
  });
});
