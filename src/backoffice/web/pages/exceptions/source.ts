import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { usePageMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import type { Case, Filters, Kind } from './types.ts';

const FRESH_EVERY_MS = 15_000;
const nextCursor = (page: { nextCursor: string | null }) => page.nextCursor;

/** The data source of the inbox: one merchant's, or all for the operator. */
export function useCases(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const options = { getNextPageParam: nextCursor, refetchInterval: FRESH_EVERY_MS };
  const { list, listAcross } = trpc.exceptions;
  return useInfiniteQuery(
    merchant === null
      ? listAcross.infiniteQueryOptions(acrossFilterOf(filters), options)
      : list.infiniteQueryOptions({ merchantId: merchant.merchantId, ...ownFilterOf(filters) }, options),
  );
}

/** The count and the sum of what the filters show. */
export function useSum(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const options = { refetchInterval: FRESH_EVERY_MS, placeholderData: keepPreviousData };
  const { sum, sumAcross } = trpc.exceptions;
  const query = useQuery(
    merchant === null
      ? sumAcross.queryOptions(acrossFilterOf(filters), options)
      : sum.queryOptions({ merchantId: merchant.merchantId, ...ownFilterOf(filters) }, options),
  );
  return query.data;
}

function ownFilterOf({ state, flag }: Filters) {
  return { state, ...(flag !== null && { flag }) };
}

function acrossFilterOf(filters: Filters) {
  const { merchant, olderThanDays } = filters;
  return {
    ...ownFilterOf(filters),
    ...(merchant !== null && { ofMerchant: merchant.merchantId }),
    ...(olderThanDays !== null && { olderThanDays }),
  };
}

/** The number of open cases. */
export function useOpenCount(): number | null {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const options = { refetchInterval: FRESH_EVERY_MS };
  const query = useQuery(
    merchant === null
      ? trpc.exceptions.countsAcross.queryOptions(undefined, options)
      : trpc.exceptions.counts.queryOptions({ merchantId: merchant.merchantId }, options),
  );
  return query.data?.count ?? null;
}

/** The open cases by kind. */
export function useKinds(): readonly Kind[] {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const options = { refetchInterval: FRESH_EVERY_MS };
  const query = useQuery(
    merchant === null
      ? trpc.exceptions.kindsAcross.queryOptions(undefined, options)
      : trpc.exceptions.kinds.queryOptions({ merchantId: merchant.merchantId }, options),
  );
  return query.data ?? [];
}

/** Loads one case; disabled while `receiptId` is null. */
export function useCase(receiptId: string | null) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const id = receiptId ?? '';
  const own = useQuery(
    trpc.exceptions.show.queryOptions(
      { merchantId: merchant?.merchantId ?? '', receiptId: id },
      { enabled: merchant !== null && receiptId !== null },
    ),
  );
  const across = useQuery(
    trpc.exceptions.showAcross.queryOptions(
      { receiptId: id },
      { enabled: merchant === null && receiptId !== null },
    ),
  );
  const { data, error, isFetching, refetch } = merchant === null ? across : own;
  const shown: Case | undefined = data;
  return { data: shown, error, isFetching, refetch };
}
