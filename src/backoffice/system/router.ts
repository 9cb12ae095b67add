import { createRouter, operator } from '../rpc.ts';
import { showSystem } from './show.ts';

/** How the service is doing, for the operator. */
export const systemRouter = createRouter({
  show: operator.query(({ ctx }) => showSystem(ctx.deps)),
});
