import { z } from 'zod';
import { createRouter, idOf, operator, viewer } from '../rpc.ts';
import { deliveryRequest } from './request.ts';
import { showTransaction } from './show.ts';

const ofTransaction = z.strictObject({ id: z.string() });

export const transactionRouter = createRouter({
  show: viewer.input(ofTransaction).query(({ ctx, input }) => {
    const reader = ctx.user.operator ? 'operator' : 'merchant';
    return showTransaction(ctx.deps, input.id, ctx.merchantId, reader);
  }),
  /** Any merchant's transaction. */
  find: operator
    .input(ofTransaction)
    .query(({ ctx, input }) => showTransaction(ctx.deps, input.id, null, 'operator')),
  request: viewer
    .input(z.strictObject({ deliveryId: idOf('dlv') }))
    .query(({ ctx, input }) =>
      deliveryRequest(ctx.deps, input.deliveryId, ctx.merchantId, ctx.role === 'owner'),
    ),
});
