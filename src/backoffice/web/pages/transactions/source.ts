import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useScope } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { askedOf, type Filters } from './filters.ts';

const PAGE_ROWS = 50;
const SUM_EVERY_MS = 15_000;
const POLL_MS = 2_500;
/** A search, and a filter that few rows match, is slower. */
const SEARCH_POLL_MS = 15_000;
/** Polled data is read anew for each list and when the window gets the focus. */
const POLLED = { gcTime: 0, staleTime: 0, retry: false } as const;

/** The pages of the list: one merchant's, or all for the operator. */
export function useList(filters: Filters) {
  const merchantId = useScope();
  const asked = useMemo(() => {
    const options = {
      getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor,
      // Only the first page is read again; refetching all pages would move them.
      staleTime: Number.POSITIVE_INFINITY,
    };
    const input = { ...askedOf(filters), merchantId, limit: PAGE_ROWS };
    return trpc.transactions.list.infiniteQueryOptions(input, options);
  }, [filters, merchantId]);
  return { query: useInfiniteQuery(asked), queryKey: asked.queryKey };
}

/** The first page of the list, polled. */
export function useFirstPage(filters: Filters, enabled: boolean) {
  const input = { ...askedOf(filters), merchantId: useScope(), limit: PAGE_ROWS };
  const isSearch = filters.search !== '';
  return useQuery(
    trpc.transactions.list.queryOptions(input, {
      ...POLLED,
      enabled,
      refetchInterval: ({ state }) => (isSearch || state.data?.searchedTo != null ? SEARCH_POLL_MS : POLL_MS),
    }),
  );
}

/** The current state of these rows, polled. */
export function useCurrent(ids: string[]) {
  const input = { merchantId: useScope(), ids };
  const options = { ...POLLED, enabled: ids.length > 0, refetchInterval: POLL_MS };
  return useQuery(trpc.transactions.current.queryOptions(input, options));
}

export function useSum(filters: Filters) {
  const input = { ...askedOf(filters), merchantId: useScope() };
  const options = { refetchInterval: SUM_EVERY_MS };
  return useQuery(trpc.transactions.sum.queryOptions(input, options));
}
