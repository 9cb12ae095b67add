import { dayAfter, lisbonDay } from '../../../../kernel/lisbon.ts';
import { type Addressed, dayOf, merchantIn, merchantOf, oneOf, useAddressState } from '../../lib/address.ts';
import { usePageMerchant } from '../../lib/session.ts';

export const STATES = ['pending', 'paid', 'failed', 'cancelled'] as const;
export const METHODS = ['MBWAY', 'REFERENCE'] as const;

/** The filters; absent ones do not filter. */
export interface Filters {
  search?: string | undefined;
  state?: (typeof STATES)[number] | undefined;
  method?: (typeof METHODS)[number] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** `from` and `to` mean the day of payment; otherwise the day of creation. */
  by?: 'paid' | undefined;
  attention?: true | undefined;
  /** Only this merchant's; on the operator's page. */
  merchant?: { readonly merchantId: string; readonly name: string } | undefined;
}

/** The filters in the address of the operator's page. */
const ACROSS: Addressed<Filters> = {
  read: (params) => ({
    search: params.get('search')?.slice(0, 255) || undefined,
    state: oneOf(STATES, params.get('state')) ?? undefined,
    method: oneOf(METHODS, params.get('method')) ?? undefined,
    from: dayOf(params, 'from') || undefined,
    to: dayOf(params, 'to') || undefined,
    by: params.get('by') === 'paid' ? 'paid' : undefined,
    attention: params.get('attention') === 'true' || undefined,
    merchant: merchantOf(params) ?? undefined,
  }),
  write: ({ search, state, method, from, to, by, attention, merchant }) => ({
    ...{ search, state, method, from, to, by, attention: attention && 'true' },
    ...merchantIn(merchant ?? null),
  }),
};

/** Those of a merchant's page. */
const OWN = {
  ...ACROSS,
  read: (params: URLSearchParams) => ({ ...ACROSS.read(params), merchant: undefined }),
};

/** The filters are part of the URL, so that a view can be bookmarked and shared. */
export function useFilters() {
  const [filters, setFilters] = useAddressState(usePageMerchant() === null ? ACROSS : OWN);
  return {
    filters,
    change: (changes: Filters) => setFilters({ ...filters, ...changes }),
    clear: () => setFilters({}),
  };
}

/** Whether no filter is set. */
export const isUnfiltered = (filters: Filters) => Object.values(filters).every((value) => !value);

/** Returns the filters as the server expects them. */
export function askedOf({ merchant, ...rest }: Filters) {
  return { ...rest, ofMerchant: merchant?.merchantId };
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
export function daysOf(period: 'any' | 'today' | 'last7' | 'last30'): Pick<Filters, 'from' | 'to'> {
  if (period === 'any') return { from: undefined, to: undefined };
  return { from: dayAfter(lisbonDay(Date.now()), 1 - PERIOD_DAYS[period]), to: undefined };
}
