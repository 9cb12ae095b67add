import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RequestContext } from '../../src/rpc/context.ts';
import { type Procedure, runnerOf } from '../../src/rpc/run.ts';
import { idempotentProcedure, merchantProcedure } from '../../src/rpc/trpc.ts';
import { toServiceError } from '../../src/rpc/wire-error.ts';

const Input = z.object({});
const Output = z.object({});
const answer = () => ({});
const meta = {};
const asProcedure = (procedure: unknown) => procedure as Procedure;

describe('what a REST call passes through', () => {
  it.each([
    ['without an input', merchantProcedure.output(Output).query(answer)],
    ['with an input', merchantProcedure.input(Input).output(Output).mutation(answer)],
    ['without an output', merchantProcedure.input(Input).query(answer)],
    ['with a key', idempotentProcedure.meta(meta).input(Input).output(Output).mutation(answer)],
  ])('is known of a procedure %s', (_what, procedure) => {
    expect(runnerOf('a.b', asProcedure(procedure))).toBeInstanceOf(Function);
  });

  it.each([
    [
      'a further middleware',
      merchantProcedure
        .input(Input)
        .use(({ next }) => next())
        .output(Output)
        .query(answer),
    ],
    ['a second input', merchantProcedure.input(Input).input(Input).output(Output).query(answer)],
    ['another order', merchantProcedure.output(Output).input(Input).query(answer)],
  ])('is all that a tRPC call passes through: a procedure with %s does not start', (_what, procedure) => {
    expect(() => runnerOf('a.b', asProcedure(procedure))).toThrow('a.b: REST does not know');
  });

  const ctx = { merchant: {}, idempotencyKey: undefined } as RequestContext;
  const run = (input: z.ZodType, output: z.ZodType) => () =>
    runnerOf('a.b', asProcedure(merchantProcedure.input(input).output(output).mutation(answer)))(ctx, {});
  const broken = () => {
    throw Object.assign(new Error('a schema with a fault'), { statusCode: 404 });
  };

  it.each([
    ['an input that its schema cannot judge', run(Input.refine(broken), Output)],
    [
      'an input that its schema judges later',
      run(
        Input.refine(async () => true),
        Output,
      ),
    ],
    ['an answer that its schema refuses', run(Input, z.object({ missing: z.string() }))],
    ['an answer that its schema cannot judge', run(Input, Output.refine(broken))],
    [
      'an answer that its schema judges later',
      run(
        Input,
        Output.refine(async () => true),
      ),
    ],
  ])('makes %s a fault of the service', async (_what, call) => {
    const error = await call().catch((thrown: unknown) => toServiceError(thrown));
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
  });
});
