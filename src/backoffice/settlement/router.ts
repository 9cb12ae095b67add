import { z } from 'zod';
import { type Interval, intervalFault } from '../../kernel/day-interval.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { daysBetween } from '../../payments/statement/statement.ts';
import type { AtMerchant } from '../context.ts';
import { csvLanguage, exportRoute } from '../export-route.ts';
import { createRouter, viewer } from '../rpc.ts';
import { settlementCsv } from './export.ts';
import { showSettlement } from './show.ts';

/** Lisbon days `YYYY-MM-DD`, both inclusive. */
const days = z.strictObject({ from: z.string().max(10), to: z.string().max(10) });

export const settlementRouter = createRouter({
  show: viewer.input(days).query(({ ctx, input }) => {
    intervalOf(input);
    return showSettlement(ctx.deps, scopeOf(ctx), input);
  }),
});

/** `/backoffice/export/settlement.csv`: every receipt and refund of the days. */
export const settlementExport = exportRoute(
  'settlement.csv',
  { who: 'viewer' },
  days.extend({ language: csvLanguage }),
  (ctx, { language, ...input }) => ({
    lines: settlementCsv(ctx.deps, { ...scopeOf(ctx), ...intervalOf(input) }, language),
  }),
);

/** The instants of the days. Throws OperatorError when they are not a valid interval or too many. */
function intervalOf({ from, to }: Interval) {
  const interval = daysBetween(from, to);
  if (interval === null)
    throw new OperatorError('from and to must be days such as 2026-01-31, in this order');
  if (intervalFault({ from, to }) !== null) throw new OperatorError('the interval is longer than a year');
  return interval;
}

/** A merchant does not see the money of its held sales. */
function scopeOf({ merchantId, user }: AtMerchant) {
  return { merchantId, unheld: !user.operator };
}
