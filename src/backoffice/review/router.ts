import { z } from 'zod';
import { createRouter, freshOperator, idOf, operator, page } from '../rpc.ts';
import { listHeld, RELEASED_AT_ONCE_MAX, releaseHeld, totalHeld } from './review.ts';

/** Paid transactions that wait for the operator's release. */
export const reviewRouter = createRouter({
  list: operator
    .input(z.strictObject({ ofMerchant: idOf('mer').optional(), ...page }))
    .query(({ ctx, input }) => listHeld(ctx.deps, input)),
  totals: operator.query(({ ctx }) => totalHeld(ctx.deps)),
  release: freshOperator
    .input(z.strictObject({ transactionIds: z.array(z.string().max(100)).min(1).max(RELEASED_AT_ONCE_MAX) }))
    .mutation(({ ctx, input }) => releaseHeld(ctx.deps, input.transactionIds)),
});
