import { createRouter, viewer } from '../rpc.ts';
import { methodLimits } from './method-limits.ts';

export const methodsRouter = createRouter({
  /** What a shop can be paid with, up to how much and within what time. */
  list: viewer.query(({ ctx }) => methodLimits(ctx.deps)),
});
