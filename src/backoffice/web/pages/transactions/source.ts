import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useScope } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { askedOf, type Filters } from './filters.ts';

const PAGE_ROWS = 50;
const SUM_EVERY_MS = 15_000;
const POLL_MS = 2_500;
/** A search that reads a bounded part of the list at a time is slow. */
const SEARCH_POLL_MS = 15_000;

/** The pages of the list: one merchant's, or all for the operator. */
export function useList(filters: Filters) {
  const trpc = useTRPC();
  const merchantId = useScope();
  const asked = useMemo(() => {
    const options = {
      getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor,
      // Only the first page is read again; refetching all pages would move them.
      staleTime: Number.POSITIVE_INFINITY,
    };
    const input = { ...askedOf(filters), merchantId, limit: PAGE_ROWS };
    return trpc.transactions.list.infiniteQueryOptions(input, options);
  }, [trpc, filters, merchantId]);
  return { query: useInfiniteQuery(asked), queryKey: asked.queryKey };
}

/** The first page of the list, read again and again. */
export function useFirstPage(filters: Filters, enabled: boolean) {
  const trpc = useTRPC();
  const input = { ...askedOf(filters), merchantId: useScope(), limit: PAGE_ROWS };
  const query = useQuery(
    trpc.transactions.list.queryOptions(input, {
      enabled,
      refetchInterval: ({ state }) => (state.data?.searchedTo == null ? POLL_MS : SEARCH_POLL_MS),
      gcTime: 0,
      staleTime: 0,
      retry: false,
    }),
  );
  return query.data;
}

/** The count and the sum of what the filters show. */
export function useSum(filters: Filters) {
  const trpc = useTRPC();
  const input = { ...askedOf(filters), merchantId: useScope() };
  const options = { refetchInterval: SUM_EVERY_MS, placeholderData: keepPreviousData };
  return useQuery(trpc.transactions.sum.queryOptions(input, options)).data;
}
