import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { RequestContext } from './context.ts';
import { toServiceError, trpcErrorShape } from './wire-error.ts';

/** The metadata of a procedure: its REST address, and whether it honours Idempotency-Key. */
export type ProcedureMeta = OpenApiMeta & { readonly idempotent?: boolean };

const t = initTRPC
  .context<RequestContext>()
  .meta<ProcedureMeta>()
  .create({
    // Gives tRPC clients the type of error data; the HTTP endpoint formats errors with the same function.
    errorFormatter: ({ error }) => trpcErrorShape(toServiceError(error), ''),
  });

export const createRouter = t.router;
export const createCallerFactory = t.createCallerFactory;

/** A procedure of the merchant API. `createCall` does what is common to all calls. */
export const merchantProcedure = t.procedure;
