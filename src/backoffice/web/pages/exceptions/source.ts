import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMaybeMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import type { Case, Filters } from './types.ts';

const FRESH_EVERY_MS = 15_000;
const nextCursor = (page: { nextCursor: string | null }) => page.nextCursor;

/** The data source of the inbox: one merchant's, or all for the operator. */
export function useCases(filters: Filters) {
  const trpc = useTRPC();
  const merchant = useMaybeMerchant();
  const { state, flag } = filters;
  const narrowed = { state, ...(flag !== null && { flag }) };
  const own = useInfiniteQuery(
    trpc.exceptions.list.infiniteQueryOptions(
      { merchantId: merchant?.merchantId ?? '', ...narrowed },
      { enabled: merchant !== null, getNextPageParam: nextCursor, refetchInterval: FRESH_EVERY_MS },
    ),
  );
  const across = useInfiniteQuery(
    trpc.exceptions.listAcross.infiniteQueryOptions(
      {
        ...narrowed,
        ...(filters.merchant !== null && { ofMerchant: filters.merchant.merchantId }),
        ...(filters.olderThanDays !== null && { olderThanDays: filters.olderThanDays }),
      },
      { enabled: merchant === null, getNextPageParam: nextCursor, refetchInterval: FRESH_EVERY_MS },
    ),
  );
  return merchant === null ? across : own;
}

/** The number of open cases; by flag for the operator. */
export function useOpenCount(): { count: number; byFlag: Partial<Record<string, number>> } | null {
  const trpc = useTRPC();
  const merchant = useMaybeMerchant();
  const own = useQuery(
    trpc.exceptions.counts.queryOptions(
      { merchantId: merchant?.merchantId ?? '' },
      { enabled: merchant !== null, refetchInterval: FRESH_EVERY_MS },
    ),
  );
  const across = useQuery(
    trpc.exceptions.countsAcross.queryOptions(undefined, {
      enabled: merchant === null,
      refetchInterval: FRESH_EVERY_MS,
    }),
  );
  if (merchant === null) return across.data ?? null;
  return own.data === undefined ? null : { count: own.data.count, byFlag: {} };
}

/** Loads one case; disabled while `receiptId` is null. */
export function useCase(receiptId: string | null) {
  const trpc = useTRPC();
  const merchant = useMaybeMerchant();
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
