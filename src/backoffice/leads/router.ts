import { z } from 'zod';
import { eraseLead } from '../../erasure/erase-lead.ts';
import type { Id } from '../../kernel/ids.ts';
import type { LeadSearch } from '../../leads/search.ts';
import { csvLanguage, exportRoute } from '../export-route.ts';
import { createRouter, freshOperator, idOf, operator, page } from '../rpc.ts';
import { countLeads, foundLeadsCsv, listCampaigns, listLeads, showLead } from './leads.ts';

/** The filters of the list and of its download; an empty one has no effect. */
const searchInput = z.strictObject({
  text: z.string().max(200).optional(),
  merchantId: z.string().max(100).optional(),
  state: z.enum(['asked', 'paid', 'erased']).optional(),
  campaign: z.string().max(100).optional(),
});

function searchOf(input: z.output<typeof searchInput>): LeadSearch {
  return {
    text: input.text?.trim() || undefined,
    merchantId: (input.merchantId || undefined) as Id<'mer'> | undefined,
    state: input.state,
    campaign: input.campaign || undefined,
  };
}

export const leadsRouter = createRouter({
  list: operator
    .input(searchInput.extend(page))
    .query(({ ctx, input: { limit, cursor, direction: _, ...search } }) =>
      listLeads(ctx.deps, searchOf(search), { limit, cursor }),
    ),
  count: operator.input(searchInput).query(({ ctx, input }) => countLeads(ctx.deps, searchOf(input))),
  campaigns: operator
    .input(searchInput.pick({ merchantId: true }))
    .query(({ ctx, input }) => listCampaigns(ctx.deps, searchOf(input).merchantId)),
  show: operator
    .input(z.strictObject({ leadId: idOf('led') }))
    .query(({ ctx, input }) => showLead(ctx.deps, input.leadId)),
  erase: freshOperator
    .input(z.strictObject({ leadId: idOf('led') }))
    .mutation(({ ctx, input }) => eraseLead(ctx.deps, input.leadId)),
});

/** `/backoffice/export/leads.csv`: all leads of a search. */
export const leadsExport = exportRoute(
  'leads.csv',
  { who: 'operator' },
  searchInput.extend({ language: csvLanguage }),
  ({ deps }, { language, ...search }) => ({
    lines: foundLeadsCsv(deps, searchOf(search), language),
  }),
);
