import { z } from 'zod';
import type { Id } from '../../kernel/ids.ts';
import { createRouter, operator } from '../rpc.ts';
import { listHeld, totalHeld } from './list.ts';
import { RELEASED_AT_ONCE_MAX, releaseHeld } from './release.ts';

const PAGE_ROWS_MAX = 100;

const ListInput = z.strictObject({
  ofMerchant: z
    .string()
    .max(100)
    .transform((id) => id as Id<'mer'>)
    .optional(),
  limit: z.int().min(1).max(PAGE_ROWS_MAX).default(50),
  cursor: z.string().max(100).nullish(),
  /** Sent by the client with every list that grows. */
  direction: z.literal('forward').optional(),
});

const ReleaseInput = z.strictObject({
  transactionIds: z.array(z.string().max(100)).min(1).max(RELEASED_AT_ONCE_MAX),
});

/** Sales whose money is here and that wait for the operator. */
export const reviewRouter = createRouter({
  list: operator.input(ListInput).query(({ ctx, input }) => listHeld(ctx.deps, input)),
  totals: operator.query(({ ctx }) => totalHeld(ctx.deps)),
  release: operator
    .input(ReleaseInput)
    .mutation(({ ctx, input }) => releaseHeld(ctx.deps, input.transactionIds)),
});
