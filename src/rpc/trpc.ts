import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { ZodType } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import { authenticate } from './authenticate.ts';
import type { RequestContext } from './context.ts';
import { isUsableKey } from './idempotency.ts';
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

/** For a merchant with a valid key and an open account; members that are null or blank count as absent. */
export const merchantProcedure = t.procedure.use(async ({ ctx, getRawInput, next }) => {
  const merchant = ctx.merchant ?? (await authenticate(ctx.deps, ctx.authorization));
  // One middleware for both, because each `next` copies the whole context; tRPC's types know either member, not the two.
  const normalised = { getRawInput: async () => normalise(await getRawInput()) };
  return await next({ ctx: { merchant }, ...normalised });
});

const KEY_HEADER = 'Idempotency-Key';

/** Names a bad Idempotency-Key together with whatever is wrong with the input. */
const joinKeyFault = t.middleware(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok || isUsableKey(ctx.idempotencyKey)) return result;
  const error = toServiceError(result.error);
  if (error.code !== 'INVALID_FIELDS' || error.fields?.includes(KEY_HEADER)) return result;
  throw new ServiceError('INVALID_FIELDS', `${error.message} ${KEY_SENTENCE}`, {
    fields: [...(error.fields ?? []), KEY_HEADER],
  });
});

const refuseBadKey = t.middleware(async ({ ctx, next }) => {
  if (isUsableKey(ctx.idempotencyKey)) return await next();
  throw new ServiceError('INVALID_FIELDS', KEY_SENTENCE, { fields: [KEY_HEADER] });
});

const KEY_SENTENCE = `The header ${KEY_HEADER} must be 1 to 255 printable ASCII characters.`;

/**
 * A merchant's procedure that honours Idempotency-Key. It begins with `.meta(…).input(…)`, because the header is
 * checked on both sides of the input: a bad one is told together with the input's faults, and alone without any.
 */
export const idempotentProcedure = {
  meta: (meta: OpenApiMeta) => ({
    input: <Schema extends ZodType>(schema: Schema) =>
      merchantProcedure.use(joinKeyFault).meta(meta).input(schema).use(refuseBadKey),
  }),
};
