import { z } from 'zod';
import type { Id } from '../../kernel/ids.ts';
import { notFound } from '../errors.ts';
import { createRouter, operator, owner, viewer } from '../rpc.ts';
import { deliveryRequest } from './request.ts';
import { resendOwn } from './resend.ts';
import { showTransaction } from './show.ts';

const ofTransaction = z.strictObject({ id: z.string() });
const ofDelivery = z.strictObject({ deliveryId: z.string() });

export const transactionRouter = createRouter({
  show: viewer
    .input(ofTransaction)
    .query(async ({ ctx, input }) =>
      demand(
        await showTransaction(
          ctx.deps,
          input.id,
          ctx.merchantId,
          ctx.user.operator ? 'operator' : 'merchant',
        ),
      ),
    ),
  /** The operator's way to any transaction, whose merchant is not known yet. */
  find: operator
    .input(ofTransaction)
    .query(async ({ ctx, input }) => demand(await showTransaction(ctx.deps, input.id, null, 'operator'))),
  request: viewer
    .input(ofDelivery)
    .query(async ({ ctx, input }) =>
      demand(await deliveryRequest(ctx.deps, input.deliveryId, ctx.merchantId, ctx.role === 'owner')),
    ),
  resend: owner
    .input(ofDelivery)
    .mutation(
      async ({ ctx, input }): Promise<{ deliveryId: Id<'dlv'> }> =>
        demand(await resendOwn(ctx.deps, input.deliveryId, ctx.merchantId)),
    ),
});

function demand<T>(found: T | null): T {
  if (found === null) throw notFound();
  return found;
}
