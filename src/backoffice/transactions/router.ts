import { z } from 'zod';
import type { Id } from '../../kernel/ids.ts';
import { SEARCH_CHARACTERS_MAX } from '../../search/text.ts';
import type { AtMerchant } from '../context.ts';
import { CSV_TYPE, csvLanguage, exportName, exportRoute, merchantExportName } from '../export-route.ts';
import { createRouter, idOf, operator, page, viewer } from '../rpc.ts';
import { exportRows, transactionsCsv } from './export.ts';
import { listTransactions, sumTransactions, type Viewpoint } from './list.ts';

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

/** The filters of an operator. */
const acrossFilters = filters.extend({ ofMerchant: idOf('mer').optional(), held: z.boolean().optional() });

export const transactionsRouter = createRouter({
  list: viewer
    .input(filters.extend(page))
    .query(({ ctx, input: { limit, cursor, direction: _, ...rest } }) =>
      listTransactions(ctx.deps, viewpointOf(ctx), rest, { limit, cursor }),
    ),
  sum: viewer.input(filters).query(({ ctx, input }) => sumTransactions(ctx.deps, viewpointOf(ctx), input)),
  /** The transactions of all merchants, or of one. */
  listAcross: operator
    .input(acrossFilters.extend(page))
    .query(({ ctx, input: { limit, cursor, direction: _, ofMerchant, held, ...rest } }) =>
      listTransactions(ctx.deps, across(ofMerchant, held), rest, { limit, cursor }),
    ),
  sumAcross: operator
    .input(acrossFilters)
    .query(({ ctx, input: { ofMerchant, held, ...rest } }) =>
      sumTransactions(ctx.deps, across(ofMerchant, held), rest),
    ),
});

/** In a URL every value is text. */
const attention = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional();
const exportInput = filters.extend({ attention, language: csvLanguage });

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

/** `/backoffice/export/all-transactions.csv`: the transactions of all merchants, or of one. */
export const allTransactionsExport = exportRoute(
  'all-transactions.csv',
  'operator',
  exportInput.extend({ ofMerchant: idOf('mer').optional() }),
  ({ deps }, { language, ofMerchant, ...rest }) => ({
    fileName: exportName(deps, 'transactions', language),
    type: CSV_TYPE,
    lines: transactionsCsv(deps, across(ofMerchant), rest, language),
  }),
);

function across(ofMerchant: Id<'mer'> | undefined, held?: boolean): Viewpoint {
  return { scope: ofMerchant ?? null, reader: 'operator', held };
}

function viewpointOf({ merchantId, user }: AtMerchant): Viewpoint {
  return { scope: merchantId, reader: user.operator ? 'operator' : 'merchant' };
}
