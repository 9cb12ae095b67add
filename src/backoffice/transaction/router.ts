import { z } from 'zod';
import { createRouter, idOf, scopedViewer, viewer } from '../rpc.ts';
import { deliveryRequest } from './request.ts';
import { showTransaction } from './show.ts';

const ofTransaction = z.strictObject({ id: z.string() });

export const transactionRouter = createRouter({
  show: scopedViewer.input(ofTransaction).query(({ ctx, input }) => {
    const reader = ctx.user.operator ? 'operator' : 'merchant';
    return showTransaction(ctx.deps, input.id, ctx.merchantId, reader);
  }),
  request: viewer
    .input(z.strictObject({ deliveryId: idOf('dlv') }))
    .query(({ ctx, input }) =>
      deliveryRequest(ctx.deps, input.deliveryId, ctx.merchantId, ctx.role === 'owner'),
    ),
});
