import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { dayAfter, lisbonDay } from '../../../../kernel/lisbon.ts';

export const STATES = ['pending', 'paid', 'failed', 'cancelled'] as const;
export const METHODS = ['MBWAY', 'REFERENCE'] as const;
export const METHOD_NAMES = { MBWAY: 'MB WAY', REFERENCE: 'Multibanco' } as const;

/** The filters as the server expects them; absent ones do not filter. */
export interface Filters {
  search?: string;
  state?: (typeof STATES)[number];
  method?: (typeof METHODS)[number];
  from?: string;
  to?: string;
  /** `from` and `to` mean the day of payment; otherwise the day of creation. */
  by?: 'paid';
  attention?: true;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The filters are part of the URL, so that a view can be bookmarked and shared. */
export function useFilters(): {
  filters: Filters;
  change: (changes: { [K in keyof Filters]?: Filters[K] | undefined }) => void;
  clear: () => void;
} {
  const [params, setParams] = useSearchParams();
  const text = params.toString();
  const filters = useMemo(() => filtersOf(new URLSearchParams(text)), [text]);
  const change = useCallback(
    (changes: object) => setParams(paramsOf({ ...filters, ...changes }), { replace: true }),
    [filters, setParams],
  );
  const clear = useCallback(() => setParams('', { replace: true }), [setParams]);
  return { filters, change, clear };
}

function filtersOf(params: URLSearchParams): Filters {
  const day = (name: string) => {
    const text = params.get(name) ?? '';
    return DAY.test(text) ? text : undefined;
  };
  const search = params.get('search')?.slice(0, 255);
  const state = STATES.find((each) => each === params.get('state'));
  const method = METHODS.find((each) => each === params.get('method'));
  const from = day('from');
  const to = day('to');
  return {
    ...(search && { search }),
    ...(state && { state }),
    ...(method && { method }),
    ...(from && { from }),
    ...(to && { to }),
    ...(params.get('by') === 'paid' && { by: 'paid' }),
    ...(params.get('attention') === 'true' && { attention: true }),
  };
}

/** Returns the filters as query parameters. */
export function paramsOf(filters: { [K in keyof Filters]?: Filters[K] | undefined }): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined && value !== '') params.set(name, String(value));
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
