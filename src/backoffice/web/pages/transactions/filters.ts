import { dayAfter, lisbonDay } from '../../../../kernel/lisbon.ts';
import { METHODS, TRANSACTION_STATUSES } from '../../../../kernel/payment-enums.ts';
import {
  type Addressed,
  addressOf,
  choice,
  day,
  MERCHANT,
  SEARCH,
  type StateOf,
  useAddressFilters,
} from '../../lib/address.ts';
import { usePageMerchant } from '../../lib/session.ts';

/** The filters in the address of the operator's page. */
const ACROSS = addressOf({
  search: SEARCH,
  state: choice('state', TRANSACTION_STATUSES),
  method: choice('method', METHODS),
  from: day('from'),
  to: day('to'),
  /** Whether `from` and `to` mean the day of payment instead of the day of creation. */
  by: choice('by', ['paid']),
  attention: choice('attention', ['true']),
  merchant: MERCHANT,
});
export type Filters = StateOf<typeof ACROSS>;

/** Those of a merchant's page. */
const OWN: Addressed<Filters> = { ...ACROSS, read: (params) => ({ ...ACROSS.read(params), merchant: null }) };

/** The filters are part of the URL, so that a view can be bookmarked and shared. */
export function useFilters() {
  const [filters, change] = useAddressFilters(usePageMerchant() === null ? ACROSS : OWN);
  return { filters, change, clear: () => change(ACROSS.read(new URLSearchParams())) };
}

export const isUnfiltered = (filters: Filters) => Object.values(filters).every((value) => !value);

/** Returns the filters as the server expects them. */
export function askedOf({ search, state, method, from, to, by, attention, merchant }: Filters) {
  return {
    search: search.slice(0, 255) || undefined,
    state: state ?? undefined,
    method: method ?? undefined,
    from: from || undefined,
    to: to || undefined,
    by: by ?? undefined,
    attention: attention === 'true' || undefined,
    ofMerchant: merchant?.value,
  };
}

export type Period = 'any' | 'today' | 'last7' | 'last30' | 'chosen';
const PERIOD_DAYS = { today: 1, last7: 7, last30: 30 } as const;

/** Returns the period that the filter's days represent, relative to today. */
export function periodOf({ from, to }: Filters): Period {
  if (from === '' && to === '') return 'any';
  const known = (['today', 'last7', 'last30'] as const).find(
    (period) => from === daysOf(period).from && to === '',
  );
  return known ?? 'chosen';
}

/** Returns the first day of a period; it has no end, so that it still applies tomorrow. */
export function daysOf(period: 'any' | 'today' | 'last7' | 'last30'): Pick<Filters, 'from' | 'to'> {
  if (period === 'any') return { from: '', to: '' };
  return { from: dayAfter(lisbonDay(Date.now()), 1 - PERIOD_DAYS[period]), to: '' };
}
