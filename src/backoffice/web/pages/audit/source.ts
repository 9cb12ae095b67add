import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { usePageMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { type Filters, filterOf, ownFilterOf } from './types.ts';

/** The pages of the log: one merchant's own entries, or all for the operator. */
export function useEntries(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const options = {
    getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor,
    placeholderData: keepPreviousData,
  };
  const own = useInfiniteQuery(
    trpc.audit.ofMerchant.infiniteQueryOptions(
      { ...ownFilterOf(filters), merchantId: merchant?.merchantId ?? '' },
      { ...options, enabled: merchant?.role === 'owner' },
    ),
  );
  const across = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(filterOf(filters), { ...options, enabled: merchant === null }),
  );
  return merchant === null ? across : own;
}

/** The number of entries that the filters show. */
export function useEntryCount(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const options = { placeholderData: keepPreviousData };
  const own = useQuery(
    trpc.audit.countOfMerchant.queryOptions(
      { ...ownFilterOf(filters), merchantId: merchant?.merchantId ?? '' },
      { ...options, enabled: merchant?.role === 'owner' },
    ),
  );
  const across = useQuery(
    trpc.audit.count.queryOptions(filterOf(filters), { ...options, enabled: merchant === null }),
  );
  return (merchant === null ? across : own).data;
}
