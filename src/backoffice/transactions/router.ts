import { z } from 'zod';
import { SEARCH_CHARACTERS_MAX } from '../../search/text.ts';
import type { AtMerchant } from '../context.ts';
import { CSV_TYPE, csvLanguage, exportRoute, merchantExportName } from '../export-route.ts';
import { createRouter, operator, page, viewer } from '../rpc.ts';
import { exportRows, transactionsCsv } from './export.ts';
import { listTransactions, sumTransactions, type Viewpoint, watchTransactions } from './list.ts';

const WATCHED_MAX = 100;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'write a day as YYYY-MM-DD');
const filters = z.strictObject({
  search: z.string().max(SEARCH_CHARACTERS_MAX).optional(),
  state: z.enum(['pending', 'paid', 'failed', 'cancelled']).optional(),
  method: z.enum(['MBWAY', 'REFERENCE']).optional(),
  from: day.optional(),
  to: day.optional(),
  /** Which day of a transaction `from` and `to` mean; the day of creation when left out. */
  by: z.enum(['created', 'paid']).optional(),
  attention: z.boolean().optional(),
});

export const transactionsRouter = createRouter({
  list: viewer
    .input(filters.extend(page))
    .query(({ ctx, input: { limit, cursor, direction: _, ...rest } }) =>
      listTransactions(ctx.deps, viewpointOf(ctx), rest, { limit, cursor }),
    ),
  watch: viewer
    .input(
      filters.extend({
        /** The transactions on the page. */
        ids: z.array(z.string().max(40)).max(WATCHED_MAX),
        /** The newest of them; null for an empty list. */
        newest: z.string().max(40).nullable(),
      }),
    )
    .query(({ ctx, input: { ids, newest, ...rest } }) =>
      watchTransactions(ctx.deps, viewpointOf(ctx), rest, { ids, newest }),
    ),
  sum: viewer.input(filters).query(({ ctx, input }) => sumTransactions(ctx.deps, viewpointOf(ctx), input)),
  /** The transactions of all merchants. */
  listAcross: operator
    .input(filters.extend({ ...page, held: z.boolean().optional() }))
    .query(({ ctx, input: { limit, cursor, direction: _, held, ...rest } }) =>
      listTransactions(ctx.deps, { scope: null, reader: 'operator', held }, rest, { limit, cursor }),
    ),
});

/** In a URL every value is text. */
const exportInput = filters.extend({
  attention: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  language: csvLanguage,
});

/** `/backoffice/export/transactions.csv`. The header `x-rows-max` bounds the lines; with `x-rows-exact` it counts them. */
export const transactionsExport = exportRoute(
  'transactions.csv',
  'viewer',
  exportInput,
  async (ctx, { language, ...rest }) => {
    const { rowsMax, exact } = await exportRows(ctx.deps, ctx.merchantId, rest);
    return {
      fileName: await merchantExportName(ctx.deps, ctx.merchantId, 'transactions', language, rest),
      type: CSV_TYPE,
      lines: transactionsCsv(ctx.deps, viewpointOf(ctx), rest, language),
      headers: { 'x-rows-max': String(rowsMax), ...(exact && { 'x-rows-exact': 'true' }) },
    };
  },
);

function viewpointOf({ merchantId, user }: AtMerchant): Viewpoint {
  return { scope: merchantId, reader: user.operator ? 'operator' : 'merchant' };
}
