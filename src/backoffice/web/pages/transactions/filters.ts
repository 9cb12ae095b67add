import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { dayAfter, lisbonDay } from '../../../../kernel/lisbon.ts';

export const STATES = ['pending', 'paid', 'failed', 'cancelled'] as const;
export const METHODS = ['MBWAY', 'REFERENCE'] as const;
export const METHOD_NAMES = { MBWAY: 'MB WAY', REFERENCE: 'Multibanco' } as const;

/** What the list is narrowed to, as the server takes it; what is left out narrows nothing. */
export interface Filters {
  search?: string;
  state?: (typeof STATES)[number];
  method?: (typeof METHODS)[number];
  from?: string;
  to?: string;
  attention?: true;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The filters live in the address, so that a view can be kept, sent and gone back to. */
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
    ...(params.get('attention') === 'true' && { attention: true }),
  };
}

/** The filters as words of an address, for the page and for the download. */
export function paramsOf(filters: { [K in keyof Filters]?: Filters[K] | undefined }): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  return params;
}

export type Period = 'any' | 'today' | 'last7' | 'last30' | 'chosen';
const PERIOD_DAYS = { today: 1, last7: 7, last30: 30 } as const;

/** Which period the days of the filters are, seen from today. */
export function periodOf({ from, to }: Filters, today = lisbonDay(Date.now())): Period {
  if (from === undefined && to === undefined) return 'any';
  const known = (['today', 'last7', 'last30'] as const).find(
    (period) => from === dayAfter(today, 1 - PERIOD_DAYS[period]) && to === undefined,
  );
  return known ?? 'chosen';
}

/** The days of a period that ends today, or none: it stays open at its end, so that it still fits tomorrow's page. */
export function daysOf(period: 'any' | 'today' | 'last7' | 'last30'): {
  from: string | undefined;
  to: string | undefined;
} {
  if (period === 'any') return { from: undefined, to: undefined };
  return { from: dayAfter(lisbonDay(Date.now()), 1 - PERIOD_DAYS[period]), to: undefined };
}
