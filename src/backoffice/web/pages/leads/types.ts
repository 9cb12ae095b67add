import { addressOf, choice, MERCHANT, SEARCH, type StateOf, text } from '../../lib/address.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';

type Outputs = RouterOutputs['leads'];

export type Lead = Outputs['list']['rows'][number];
export type ShownLead = Outputs['show'];

export const STATES = ['asked', 'paid', 'erased'] as const;

export const FILTERS = addressOf({
  text: SEARCH,
  merchant: MERCHANT,
  state: choice('state', STATES),
  campaign: text('campaign'),
});
export type Filters = StateOf<typeof FILTERS>;

/** Returns the input of the query; unset filters are omitted. */
export function searchOf({ text, merchant, state, campaign }: Filters) {
  return {
    text: text.trim() || undefined,
    merchantId: merchant?.value,
    state: state ?? undefined,
    campaign: campaign || undefined,
  };
}
