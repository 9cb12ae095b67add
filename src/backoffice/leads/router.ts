import { z } from 'zod';
import { eraseLead } from '../../erasure/erase-lead.ts';
import type { Id } from '../../kernel/ids.ts';
import { page } from '../people/fields.ts';
import { createRouter, freshOperator, operator } from '../rpc.ts';
import { listCampaigns } from './campaigns.ts';
import { leadSearch, leadSearchInput } from './input.ts';
import { listLeads } from './list.ts';
import { showLead } from './show.ts';

const leadId = z
  .string()
  .max(100)
  .transform((id) => id as Id<'led'>);

/** The lead register, for the operator. */
export const leadsRouter = createRouter({
  list: operator
    .input(leadSearchInput.extend(page))
    .query(({ ctx, input: { limit, cursor, direction: _, ...search } }) =>
      listLeads(ctx.deps, leadSearch(search), { limit, cursor: cursor ?? undefined }),
    ),

  campaigns: operator
    .input(leadSearchInput.pick({ merchantId: true }))
    .query(({ ctx, input }) => listCampaigns(ctx.deps, leadSearch(input).merchantId)),

  show: operator
    .input(z.strictObject({ leadId }))
    .query(({ ctx, input }) => showLead(ctx.deps, input.leadId)),

  erase: freshOperator
    .input(z.strictObject({ leadId }))
    .mutation(({ ctx, input }) => eraseLead(ctx.deps, input.leadId)),
});
