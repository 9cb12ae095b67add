import { createRouter, operator } from '../rpc.ts';
import { showSystem } from './show.ts';

export const systemRouter = createRouter({
  show: operator.query(({ ctx }) => showSystem(ctx.deps)),
});
