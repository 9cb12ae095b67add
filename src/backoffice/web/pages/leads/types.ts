import { type Addressed, merchantIn, merchantOf, oneOf } from '../../lib/address.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';

type Outputs = RouterOutputs['leads'];

export type Lead = Outputs['list']['rows'][number];
export type ShownLead = Outputs['show'];

export type LeadState = 'asked' | 'paid' | 'erased';

export interface Filters {
  readonly text: string;
  readonly merchant: { readonly merchantId: string; readonly name: string } | null;
  readonly state: LeadState | null;
  readonly campaign: string | null;
}

/** The filters in the address. */
export const FILTERS: Addressed<Filters> = {
  read: (params) => ({
    text: params.get('search') ?? '',
    merchant: merchantOf(params),
    state: oneOf(['asked', 'paid', 'erased'], params.get('state')),
    campaign: params.get('campaign'),
  }),
  write: ({ text, merchant, state, campaign }) => ({
    search: text,
    state,
    campaign,
    ...merchantIn(merchant),
  }),
};

/** Returns the input of the query; unset filters are omitted. */
export function searchOf(filters: Filters) {
  const text = filters.text.trim();
  return {
    ...(text !== '' && { text }),
    ...(filters.merchant !== null && { merchantId: filters.merchant.merchantId }),
    ...(filters.state !== null && { state: filters.state }),
    ...(filters.campaign !== null && { campaign: filters.campaign }),
  };
}
