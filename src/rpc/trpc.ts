import { initTRPC, type TRPCMutationProcedure, type TRPCQueryProcedure } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { ZodType, z } from 'zod';
import type { RequestContext } from './context.ts';
import type { Operation, Operations } from './operation.ts';
import { toServiceError, trpcErrorShape } from './wire-error.ts';

const t = initTRPC
  .context<RequestContext>()
  .meta<OpenApiMeta>()
  .create({
    isDev: false,
    // Types the errors of tRPC clients; the endpoint formats errors with the same function.
    errorFormatter: ({ error }) => trpcErrorShape(toServiceError(error), ''),
  });

type ProcedureOf<O> =
  O extends Operation<infer Kind, infer Input, infer Output>
    ? ProcedureTypes<Kind, { meta: OpenApiMeta; input: InputOf<Input>; output: z.output<Output> }>
    : never;
type ProcedureTypes<
  Kind,
  Types extends { meta: OpenApiMeta; input: unknown; output: unknown },
> = Kind extends 'query' ? TRPCQueryProcedure<Types> : TRPCMutationProcedure<Types>;
// biome-ignore lint/suspicious/noConfusingVoidType: tRPC's word for a procedure without input
type InputOf<Input> = Input extends ZodType ? z.input<Input> : void;
type ProceduresOf<O extends Operations> = {
  [Group in keyof O]: { [Name in keyof O[Group]]: ProcedureOf<O[Group][Name]> };
};

/** Builds the tRPC router of the operations, for the types of tRPC clients and for the OpenAPI document. */
export function createRouter<O extends Operations>(operations: O) {
  const groups = Object.entries(operations).map(([group, members]) => [
    group,
    Object.fromEntries(Object.entries(members).map(([name, operation]) => [name, procedureOf(operation)])),
  ]);
  return t.router(Object.fromEntries(groups) as ProceduresOf<O>);
}

function procedureOf({ kind, meta, input, output, run }: Operation) {
  const described = t.procedure.meta(meta);
  const procedure = (input === null ? described : described.input(input)).output(output);
  const resolve = (call: { ctx: RequestContext; input: unknown }) => run(call.ctx, call.input);
  return kind === 'query' ? procedure.query(resolve) : procedure.mutation(resolve);
}
