import type { inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

type Outputs = inferRouterOutputs<BackofficeRouter>['leads'];

export type Lead = Outputs['list']['rows'][number];
export type ShownLead = Outputs['show'];

export type LeadState = 'asked' | 'paid' | 'erased';

export interface Filters {
  readonly text: string;
  readonly merchant: { readonly merchantId: string; readonly name: string } | null;
  readonly state: LeadState | null;
  readonly campaign: string | null;
}

export const NO_FILTERS: Filters = { text: '', merchant: null, state: null, campaign: null };

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
