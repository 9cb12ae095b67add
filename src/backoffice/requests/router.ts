import { z } from 'zod';
import { createRouter, page, viewer } from '../rpc.ts';
import { listRequests } from './list.ts';

export const requestsRouter = createRouter({
  list: viewer
    .input(z.strictObject({ failed: z.boolean().optional(), ...page }))
    .query(({ ctx, input }) => listRequests(ctx.deps, ctx.merchantId, input)),
});
