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
  const { list, ofMerchant } = trpc.audit;
  return useInfiniteQuery(
    merchant === null
      ? list.infiniteQueryOptions(filterOf(filters), options)
      : ofMerchant.infiniteQueryOptions(
          { merchantId: merchant.merchantId, ...ownFilterOf(filters) },
          options,
        ),
  );
}

/** The number of entries that the filters show. */
export function useEntryCount(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const options = { placeholderData: keepPreviousData };
  const { count, countOfMerchant } = trpc.audit;
  const query = useQuery(
    merchant === null
      ? count.queryOptions(filterOf(filters), options)
      : countOfMerchant.queryOptions({ merchantId: merchant.merchantId, ...ownFilterOf(filters) }, options),
  );
  return query.data;
}
