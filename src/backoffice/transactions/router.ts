import { z } from 'zod';
import type { Id } from '../../kernel/ids.ts';
import { METHODS, TRANSACTION_STATUSES } from '../../kernel/payment-enums.ts';
import { SEARCH_CHARACTERS_MAX } from '../../search/text.ts';
import type { Scoped } from '../context.ts';
import { csvLanguage, exportRoute } from '../export-route.ts';
import { createRouter, idOf, page, scopedViewer } from '../rpc.ts';
import { isTransactionId } from './cursor.ts';
import { exportRows, transactionsCsv } from './export.ts';
import { currentRows, listTransactions, sumTransactions, type Viewpoint } from './list.ts';

const CURRENT_MAX = 60;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'write a day as YYYY-MM-DD');
const filters = z.strictObject({
  search: z.string().max(SEARCH_CHARACTERS_MAX).optional(),
  state: z.enum(TRANSACTION_STATUSES).optional(),
  method: z.enum(METHODS).optional(),
  from: day.optional(),
  to: day.optional(),
  /** Which day of a transaction `from` and `to` mean; the day of creation when left out. */
  by: z.enum(['created', 'paid']).optional(),
  attention: z.boolean().optional(),
  /** Operators at all merchants only. */
  ofMerchant: idOf('mer').optional(),
});

/** The merchant's own transactions or, for operators, those of all merchants or of one. */
export const transactionsRouter = createRouter({
  list: scopedViewer
    .input(filters.extend(page))
    .query(({ ctx, input: { limit, cursor, direction: _, ofMerchant, ...rest } }) =>
      listTransactions(ctx.deps, viewpointOf(ctx, ofMerchant), rest, { limit, cursor }),
    ),
  /** The current state of rows of an open list. */
  current: scopedViewer
    .input(z.strictObject({ ids: z.array(z.string().refine(isTransactionId)).max(CURRENT_MAX) }))
    .query(({ ctx, input }) => currentRows(ctx.deps, viewpointOf(ctx), input.ids)),
  sum: scopedViewer
    .input(filters)
    .query(({ ctx, input: { ofMerchant, ...rest } }) =>
      sumTransactions(ctx.deps, viewpointOf(ctx, ofMerchant), rest),
    ),
});

/** In a URL every value is text. */
const attention = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional();
const exportInput = filters.extend({ attention, language: csvLanguage });

/**
 * `/backoffice/export/transactions.csv`. For one merchant, the header `x-rows-max` bounds the lines; with `x-rows-exact` it counts
 * them.
 */
export const transactionsExport = exportRoute(
  'transactions.csv',
  { who: 'viewer', orAll: true },
  exportInput,
  async (ctx, { language, ofMerchant, ...rest }) => {
    const lines = transactionsCsv(ctx.deps, viewpointOf(ctx, ofMerchant), rest, language);
    if (ctx.merchantId === null) return { lines };
    const { rowsMax, exact } = await exportRows(ctx.deps, ctx.merchantId, rest);
    return { lines, headers: { 'x-rows-max': String(rowsMax), ...(exact && { 'x-rows-exact': 'true' }) } };
  },
);

function viewpointOf({ merchantId, user }: Scoped, ofMerchant?: Id<'mer'>): Viewpoint {
  return { scope: merchantId ?? ofMerchant ?? null, reader: user.operator ? 'operator' : 'merchant' };
}
