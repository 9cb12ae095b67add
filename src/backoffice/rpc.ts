import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import type { Id } from '../kernel/ids.ts';
import { authorise, type BackofficeMeta } from './authorise.ts';
import type { AtMerchant, BackofficeContext, SignedIn } from './context.ts';
import { errorShape, toBackofficeError } from './errors.ts';

const t = initTRPC
  .context<BackofficeContext>()
  .meta<BackofficeMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ error, ctx }) => errorShape(toBackofficeError(error), ctx?.requestId ?? ''),
  });

export const createRouter = t.router;

/** Declares who may call, and has it enforced before any input is read. There is no procedure without it. */
function open<Granted extends object>(meta: BackofficeMeta) {
  return t.procedure.meta(meta).use(async ({ ctx, meta: declared = meta, getRawInput, next }) => {
    const granted = await authorise(ctx, declared, async () => memberOf(await getRawInput(), 'merchantId'));
    return await next({ ctx: granted as Granted });
  });
}

/** The input names the merchant; what follows it is a strict schema of its own, which does not. */
function atMerchant(meta: BackofficeMeta) {
  return open<AtMerchant>(meta)
    .input(z.object({ merchantId: z.string().transform((id) => id as Id<'mer'>) }))
    .use(({ getRawInput, next }) => next({ getRawInput: async () => withoutMerchant(await getRawInput()) }));
}

/** Everybody, signed in or not. */
export const anyone = open<object>({ who: 'anyone' });
/** Everybody who is signed in, also before the first password was changed: the way out of that state. */
export const changing = open<SignedIn>({ who: 'user', beforePasswordChange: true });
/** Everybody who is signed in. */
export const signedIn = open<SignedIn>({ who: 'user' });
export const freshUser = open<SignedIn>({ who: 'user', fresh: true });
/** Viewers and owners of the merchant that the input names by `merchantId`; `ctx.merchantId` is checked. */
export const viewer = atMerchant({ who: 'viewer' });
/** Owners of that merchant. */
export const owner = atMerchant({ who: 'owner' });
export const freshOwner = atMerchant({ who: 'owner', fresh: true });
/** The platform's own people. */
export const operator = open<SignedIn>({ who: 'operator' });
export const freshOperator = open<SignedIn>({ who: 'operator', fresh: true });

function memberOf(input: unknown, name: string): unknown {
  return typeof input === 'object' && input !== null && name in input
    ? (input as Record<string, unknown>)[name]
    : undefined;
}

function withoutMerchant(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const { merchantId: _, ...rest } = input as Record<string, unknown>;
  return rest;
}
