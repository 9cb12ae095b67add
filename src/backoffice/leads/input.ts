import { z } from 'zod';
import type { Id } from '../../kernel/ids.ts';
import type { LeadSearch } from '../../leads/search.ts';

/** What the lead register is narrowed to, of the list and of its download alike; blank is everything. */
export const leadSearchInput = z.strictObject({
  text: z.string().max(200).optional(),
  merchantId: z.string().max(100).optional(),
  state: z.enum(['asked', 'paid', 'erased']).optional(),
  campaign: z.string().max(100).optional(),
});

/** The search that the input asks for. */
export function leadSearch(input: z.output<typeof leadSearchInput>): LeadSearch {
  return {
    text: input.text?.trim() || undefined,
    merchantId: (input.merchantId || undefined) as Id<'mer'> | undefined,
    state: input.state,
    campaign: input.campaign?.trim() || undefined,
  };
}
