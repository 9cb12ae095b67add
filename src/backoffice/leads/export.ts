import { foundLeadsCsv } from '../../leads/csv.ts';
import { operatorExport } from '../export-route.ts';
import { leadSearch, leadSearchInput } from './input.ts';

/** The leads of a search, all of them. */
export const leadsExport = operatorExport('leads.csv', leadSearchInput, (ctx, input) => ({
  fileName: 'leads.csv',
  type: 'text/csv; charset=utf-8',
  lines: foundLeadsCsv(ctx.deps, leadSearch(input)),
}));
