import type { RequestContext } from './context.ts';

/** A call of a procedure, as its middlewares see it. */
interface Call {
  readonly ctx: RequestContext;
  readonly path: string;
  readonly type: 'query' | 'mutation';
  readonly input: unknown;
  readonly getRawInput: () => Promise<unknown>;
}

type Result = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: unknown };

type Middleware = (
  call: Call & { signal: undefined; batchIndex: 0; next(changes?: Partial<Call>): Promise<Result> },
) => Promise<Result>;

/** A procedure of tRPC: what a call passes through, from the key to the verb. */
export interface Procedure {
  readonly _def: { readonly type: string; readonly middlewares: readonly Middleware[] };
}

/**
 * Runs a procedure as tRPC's own caller does, through the same middlewares, and resolves to its output or throws. The caller
 * copies each member of the call by a helper of its own, three times for each middleware: a tenth of a status call.
 */
export async function runProcedure(
  procedure: Procedure,
  name: string,
  ctx: RequestContext,
  input: unknown,
): Promise<unknown> {
  const { middlewares, type } = procedure._def;
  if (type !== 'query' && type !== 'mutation') throw new Error(`${name} is a ${type}`);
  const result = await runFrom(0, middlewares, {
    ctx,
    path: name,
    type,
    input: undefined,
    getRawInput: async () => input,
  });
  if (!result.ok) throw result.error;
  return result.data;
}

async function runFrom(index: number, middlewares: readonly Middleware[], call: Call): Promise<Result> {
  const { ctx, path, type, input, getRawInput } = call;
  try {
    const middleware = middlewares[index];
    if (middleware === undefined) throw new Error(`${path} has nothing that answers`);
    return await middleware({
      ctx,
      path,
      type,
      input,
      getRawInput,
      signal: undefined,
      batchIndex: 0,
      next: (changes) =>
        runFrom(index + 1, middlewares, {
          ctx: changes?.ctx === undefined ? ctx : { ...ctx, ...changes.ctx },
          path,
          type,
          input: changes !== undefined && 'input' in changes ? changes.input : input,
          getRawInput: changes?.getRawInput ?? getRawInput,
        }),
    });
  } catch (error) {
    return { ok: false, error };
  }
}
