import type { AnyTRPCRouter } from '@trpc/server';
import type { RequestContext } from './context.ts';
import { isUsableKey, withKeyFault } from './idempotency.ts';
import { normalise } from './normalise.ts';
import { createCallerFactory } from './trpc.ts';
import { toServiceError } from './wire-error.ts';

/** What a call needs to know of its procedure. */
export interface Callee {
  /** The path in the router, such as `payments.init`. */
  readonly name: string;
  /** Whether the procedure honours Idempotency-Key. */
  readonly idempotent: boolean;
}

export type Call = (callee: Callee, ctx: RequestContext, rawInput: unknown) => Promise<unknown>;

/**
 * Returns the function through which REST and tRPC call the procedures of `router`. It normalises the input, has tRPC validate
 * it and reports a faulty Idempotency-Key together with a faulty input. Throws only ServiceError.
 */
export function createCall(router: AnyTRPCRouter): Call {
  const createCaller = createCallerFactory(router);
  return async ({ name, idempotent }, ctx, rawInput) => {
    const procedures = createCaller(ctx) as unknown as Record<string, (input: unknown) => Promise<unknown>>;
    try {
      return await procedures[name]?.(normalise(rawInput));
    } catch (error) {
      const failure = toServiceError(error);
      throw idempotent && !isUsableKey(ctx.idempotencyKey) ? withKeyFault(failure) : failure;
    }
  };
}
