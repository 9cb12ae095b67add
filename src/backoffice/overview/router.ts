import { z } from 'zod';
import { scopeOf } from '../exceptions/list.ts';
import { createRouter, viewer } from '../rpc.ts';
import { showOverview, showSeries } from './show.ts';

const series = z.strictObject({ days: z.union([z.literal(7), z.literal(30), z.literal(90)]) });

export const overviewRouter = createRouter({
  show: viewer.query(({ ctx }) => showOverview(ctx.deps, ctx.merchantId, scopeOf(ctx))),
  series: viewer.input(series).query(({ ctx, input }) => showSeries(ctx.deps, ctx.merchantId, input.days)),
});
