import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { ZodType } from 'zod';
import { authenticate } from './authenticate.ts';
import type { Merchant, RequestContext } from './context.ts';
import { badKey, isUsableKey, withBadKey } from './idempotency-key.ts';
import { normalise } from './normalise.ts';
import { toServiceError, trpcErrorShape } from './wire-error.ts';

const t = initTRPC
  .context<RequestContext>()
  .meta<OpenApiMeta>()
  .create({
    isDev: false,
    // The same words over either door: what REST says in its body, tRPC says in the error's data.
    errorFormatter: ({ error, ctx }) => trpcErrorShape(toServiceError(error), ctx?.requestId ?? ''),
  });

export const createRouter = t.router;

/** The merchant whose call this is. Throws UNAUTHORIZED or ACCOUNT_INACTIVE. */
export async function merchantOf(ctx: RequestContext): Promise<Merchant> {
  return ctx.merchant ?? (await authenticate(ctx.deps, ctx.authorization));
}

const identify = t.middleware(async ({ ctx, getRawInput, next }) => {
  const merchant = await merchantOf(ctx);
  // One middleware for both, because each `next` copies the whole context; tRPC's types know either member, not the two.
  const normalised = { getRawInput: async () => normalise(await getRawInput()) };
  return await next({ ctx: { merchant }, ...normalised });
});

/** For a merchant with a valid key and an open account; members that are null or blank count as absent. */
export const merchantProcedure = t.procedure.use(identify);

/** Names a bad Idempotency-Key together with whatever is wrong with the input. */
const joinBadKey = t.middleware(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok || isUsableKey(ctx.idempotencyKey)) return result;
  throw withBadKey(toServiceError(result.error));
});

const refuseBadKey = t.middleware(async ({ ctx, next }) => {
  if (isUsableKey(ctx.idempotencyKey)) return await next();
  throw badKey();
});

/**
 * A merchant's procedure that honours Idempotency-Key. It begins with `.meta(…).input(…)`, because the header is
 * checked on both sides of the input: a bad one is told together with the input's faults, and alone without any.
 */
export const idempotentProcedure = {
  meta: (meta: OpenApiMeta) => ({
    input: <Schema extends ZodType>(schema: Schema) =>
      merchantProcedure.use(joinBadKey).meta(meta).input(schema).use(refuseBadKey),
  }),
};

/** Everything that a call passes through besides its schemas and its verb, by what it is for; see run.ts. */
export const PASSED = {
  identify: identify._middlewares[0],
  joinBadKey: joinBadKey._middlewares[0],
  refuseBadKey: refuseBadKey._middlewares[0],
};
