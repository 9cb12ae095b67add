import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TransactionPage } from '../../../transactions/list.ts';
import { usePageMerchant } from '../../lib/session.ts';
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
  const merchantId = usePageMerchant()?.merchantId ?? null;
  const asked = useMemo(() => {
    const input = { ...askedOf(filters), limit: PAGE_ROWS };
    const options = {
      getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor,
      // Only the first page is read again; refetching all pages would move them.
      staleTime: Number.POSITIVE_INFINITY,
    };
    const { list, listAcross } = trpc.transactions;
    return merchantId === null
      ? listAcross.infiniteQueryOptions(input, options)
      : list.infiniteQueryOptions({ ...input, merchantId }, options);
  }, [trpc, filters, merchantId]);
  return { query: useInfiniteQuery(asked), queryKey: asked.queryKey };
}

/** The first page of the list, read again and again. */
export function useFirstPage(filters: Filters, enabled: boolean) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const input = { ...askedOf(filters), limit: PAGE_ROWS };
  const options = {
    enabled,
    refetchInterval: ({ state }: { state: { data: TransactionPage | undefined } }) =>
      state.data?.searchedTo == null ? POLL_MS : SEARCH_POLL_MS,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  };
  const query = useQuery(
    merchant === null
      ? trpc.transactions.listAcross.queryOptions(input, options)
      : trpc.transactions.list.queryOptions({ ...input, merchantId: merchant.merchantId }, options),
  );
  return query.data;
}

/** The count and the sum of what the filters show. */
export function useSum(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const input = askedOf(filters);
  const options = { refetchInterval: SUM_EVERY_MS, placeholderData: keepPreviousData };
  const query = useQuery(
    merchant === null
      ? trpc.transactions.sumAcross.queryOptions(input, options)
      : trpc.transactions.sum.queryOptions({ ...input, merchantId: merchant.merchantId }, options),
  );
  return query.data;
}
