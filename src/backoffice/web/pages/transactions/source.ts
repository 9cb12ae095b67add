import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePageMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { askedOf, type Filters } from './filters.ts';

const PAGE_ROWS = 50;
const SUM_EVERY_MS = 15_000;
const POLL_MS = 2_500;

/** The pages of the list: one merchant's, or all for the operator. */
export function useList(filters: Filters) {
  const trpc = useTRPC();
  const merchantId = usePageMerchant()?.merchantId ?? null;
  const { own, across } = useMemo(() => {
    const input = { ...askedOf(filters), limit: PAGE_ROWS };
    const options = {
      getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor,
      // Open rows are updated one by one; refetching all pages would move them.
      staleTime: Number.POSITIVE_INFINITY,
    };
    return {
      own: trpc.transactions.list.infiniteQueryOptions(
        { ...input, merchantId: merchantId ?? '' },
        { ...options, enabled: merchantId !== null },
      ),
      across: trpc.transactions.listAcross.infiniteQueryOptions(input, {
        ...options,
        enabled: merchantId === null,
      }),
    };
  }, [trpc, filters, merchantId]);
  const ownQuery = useInfiniteQuery(own);
  const acrossQuery = useInfiniteQuery(across);
  return merchantId === null
    ? { query: acrossQuery, queryKey: across.queryKey }
    : { query: ownQuery, queryKey: own.queryKey };
}

/** The current state of the shown rows, and newer ones. */
export function useWatch(
  filters: Filters,
  shown: { ids: string[]; newest: string | null },
  enabled: boolean,
) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const input = { ...askedOf(filters), ...shown };
  const options = { refetchInterval: POLL_MS, gcTime: 0, staleTime: 0, retry: false };
  const own = useQuery(
    trpc.transactions.watch.queryOptions(
      { ...input, merchantId: merchant?.merchantId ?? '' },
      { ...options, enabled: enabled && merchant !== null },
    ),
  );
  const across = useQuery(
    trpc.transactions.watchAcross.queryOptions(input, { ...options, enabled: enabled && merchant === null }),
  );
  return (merchant === null ? across : own).data;
}

/** The count and the sum of what the filters show. */
export function useSum(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const input = askedOf(filters);
  const options = { refetchInterval: SUM_EVERY_MS, placeholderData: keepPreviousData };
  const own = useQuery(
    trpc.transactions.sum.queryOptions(
      { ...input, merchantId: merchant?.merchantId ?? '' },
      { ...options, enabled: merchant !== null },
    ),
  );
  const across = useQuery(
    trpc.transactions.sumAcross.queryOptions(input, { ...options, enabled: merchant === null }),
  );
  return (merchant === null ? across : own).data;
}
