import { z } from 'zod';
import { createRouter, page, viewer } from '../rpc.ts';
import { listRequests } from './list.ts';
import { countRequests } from './store.ts';

export const requestsRouter = createRouter({
  list: viewer
    .input(z.strictObject({ failed: z.boolean().optional(), ...page }))
    .query(({ ctx, input }) => listRequests(ctx.deps, ctx.merchantId, input)),
  count: viewer
    .input(z.strictObject({ failed: z.boolean().default(false) }))
    .query(({ ctx, input }) => countRequests(ctx.deps.db.read, ctx.merchantId, input.failed)),
});
