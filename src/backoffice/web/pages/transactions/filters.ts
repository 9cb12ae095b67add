import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { dayAfter, lisbonDay } from '../../../../kernel/lisbon.ts';
import { dayOf, merchantIn, merchantOf } from '../../lib/address.ts';
import { usePageMerchant } from '../../lib/session.ts';

export const STATES = ['pending', 'paid', 'failed', 'cancelled'] as const;
export const METHODS = ['MBWAY', 'REFERENCE'] as const;

/** The filters; absent ones do not filter. */
export interface Filters {
  search?: string;
  state?: (typeof STATES)[number];
  method?: (typeof METHODS)[number];
  from?: string;
  to?: string;
  /** `from` and `to` mean the day of payment; otherwise the day of creation. */
  by?: 'paid';
  attention?: true;
  /** Only this merchant's; on the operator's page. */
  merchant?: { readonly merchantId: string; readonly name: string };
}

export type Changes = { [K in keyof Filters]?: Filters[K] | undefined };

/** The filters are part of the URL, so that a view can be bookmarked and shared. */
export function useFilters(): {
  filters: Filters;
  change: (changes: Changes) => void;
  clear: () => void;
} {
  const [params, setParams] = useSearchParams();
  const text = params.toString();
  const across = usePageMerchant() === null;
  const filters = useMemo(() => filtersOf(new URLSearchParams(text), across), [text, across]);
  const change = useCallback(
    (changes: Changes) => setParams(paramsOf({ ...filters, ...changes }), { replace: true }),
    [filters, setParams],
  );
  const clear = useCallback(() => setParams('', { replace: true }), [setParams]);
  return { filters, change, clear };
}

function filtersOf(params: URLSearchParams, across: boolean): Filters {
  const search = params.get('search')?.slice(0, 255);
  const state = STATES.find((each) => each === params.get('state'));
  const method = METHODS.find((each) => each === params.get('method'));
  const from = dayOf(params, 'from');
  const to = dayOf(params, 'to');
  const merchant = across ? merchantOf(params) : null;
  return {
    ...(search && { search }),
    ...(state && { state }),
    ...(method && { method }),
    ...(from && { from }),
    ...(to && { to }),
    ...(params.get('by') === 'paid' && { by: 'paid' }),
    ...(params.get('attention') === 'true' && { attention: true }),
    ...(merchant && { merchant }),
  };
}

/** Returns the filters as the address has them. */
function paramsOf({ merchant, ...rest }: Changes): URLSearchParams {
  return queryOf({ ...rest, ...merchantIn(merchant ?? null) });
}

/** Returns the filters as the server expects them. */
export function askedOf({ merchant, ...rest }: Filters) {
  return { ...rest, ...(merchant !== undefined && { ofMerchant: merchant.merchantId }) };
}

/** Returns the members as query parameters, without empty ones. */
export function queryOf(members: object): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  }
  return params;
}

export type Period = 'any' | 'today' | 'last7' | 'last30' | 'chosen';
const PERIOD_DAYS = { today: 1, last7: 7, last30: 30 } as const;

/** Returns the period that the filter's days represent, relative to today. */
export function periodOf({ from, to }: Filters, today = lisbonDay(Date.now())): Period {
  if (from === undefined && to === undefined) return 'any';
  const known = (['today', 'last7', 'last30'] as const).find(
    (period) => from === dayAfter(today, 1 - PERIOD_DAYS[period]) && to === undefined,
  );
  return known ?? 'chosen';
}

/** Returns the first day of a period; it has no end, so that it still applies tomorrow. */
export function daysOf(period: 'any' | 'today' | 'last7' | 'last30'): {
  from: string | undefined;
  to: string | undefined;
} {
  if (period === 'any') return { from: undefined, to: undefined };
  return { from: dayAfter(lisbonDay(Date.now()), 1 - PERIOD_DAYS[period]), to: undefined };
}
