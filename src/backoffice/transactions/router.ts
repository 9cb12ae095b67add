import type { AtMerchant } from '../context.ts';
import { CSV_TYPE } from '../csv.ts';
import { merchantExportName } from '../export-name.ts';
import { viewerExport } from '../export-route.ts';
import { createRouter, operator, viewer } from '../rpc.ts';
import { AcrossInput, ExportInput, ListInput, WatchInput } from './contract.ts';
import { exportRows, transactionsCsv } from './export.ts';
import { type Look, listTransactions } from './list.ts';
import { watchTransactions } from './watch.ts';

export const transactionsRouter = createRouter({
  /** A merchant's transactions, newest first, searched and filtered. */
  list: viewer
    .input(ListInput)
    .query(({ ctx, input: { limit, cursor = null, direction: _, ...filters } }) =>
      listTransactions(ctx.deps, lookOf(ctx), filters, { limit, cursor }),
    ),
  /** What became of the rows on an open page, and what came above them. */
  watch: viewer
    .input(WatchInput)
    .query(({ ctx, input: { ids, newest, ...filters } }) =>
      watchTransactions(ctx.deps, lookOf(ctx), filters, { ids, newest }),
    ),
  /** The same over all merchants, for the operator. */
  listAcross: operator
    .input(AcrossInput)
    .query(({ ctx, input: { limit, cursor = null, direction: _, held, ...filters } }) =>
      listTransactions(ctx.deps, { scope: null, reader: 'operator', held }, filters, { limit, cursor }),
    ),
});

/** `/backoffice/export/transactions.csv`: the filters in the query; `x-rows-max` lines, exactly so with `x-rows-exact`. */
export const transactionsExport = viewerExport(
  'transactions.csv',
  ExportInput,
  async (ctx, { language, ...filters }) => {
    const { rowsMax, exact } = await exportRows(ctx.deps, ctx.merchantId, filters);
    return {
      fileName: await merchantExportName(ctx.deps, ctx.merchantId, 'transactions', 'csv'),
      type: CSV_TYPE,
      lines: transactionsCsv(ctx.deps, lookOf(ctx), filters, language),
      headers: { 'x-rows-max': String(rowsMax), ...(exact && { 'x-rows-exact': 'true' }) },
    };
  },
);

function lookOf({ merchantId, user }: AtMerchant): Look {
  return { scope: merchantId, reader: user.operator ? 'operator' : 'merchant' };
}
