import { z } from 'zod';
import { boundedCount, COUNTED_MAX, createRouter, page, viewer } from '../rpc.ts';
import { listRequests } from './list.ts';
import { countRequests } from './store.ts';

export const requestsRouter = createRouter({
  list: viewer
    .input(z.strictObject({ failed: z.boolean().optional(), ...page }))
    .query(({ ctx, input }) => listRequests(ctx.deps, ctx.merchantId, input)),
  count: viewer
    .input(z.strictObject({ failed: z.boolean().default(false) }))
    .query(async ({ ctx, input: { failed } }) =>
      boundedCount(await countRequests(ctx.deps.db.read, ctx.merchantId, { failed, max: COUNTED_MAX + 1 })),
    ),
});
