import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useScope } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import type { Filters, Kind } from './types.ts';

const FRESH = { refetchInterval: 15_000 };
const nextCursor = (page: { nextCursor: string | null }) => page.nextCursor;

/** The cases that the filters show: one merchant's, or all for the operator. */
export function useCases(filters: Filters) {
  const options = { ...FRESH, getNextPageParam: nextCursor };
  return useInfiniteQuery(trpc.exceptions.list.infiniteQueryOptions(useAsked(filters), options));
}

/** The count and the sum of what the filters show. */
export function useSum(filters: Filters) {
  const options = { ...FRESH, placeholderData: keepPreviousData };
  return useQuery(trpc.exceptions.sum.queryOptions(useAsked(filters), options)).data;
}

/** The filters as the server expects them. */
function useAsked({ state, flag, merchant }: Filters) {
  const merchantId = useScope();
  return {
    merchantId,
    state,
    flag: flag ?? undefined,
    ...(merchantId === null && { ofMerchant: merchant?.value }),
  };
}

/** The number of open cases. */
export function useOpenCount(): number | null {
  const query = useQuery(trpc.exceptions.counts.queryOptions({ merchantId: useScope() }, FRESH));
  return query.data?.count ?? null;
}

/** The open cases by kind. */
export function useKinds(): readonly Kind[] {
  const query = useQuery(trpc.exceptions.kinds.queryOptions({ merchantId: useScope() }, FRESH));
  return query.data ?? [];
}

/** Loads one case; disabled while `receiptId` is null. */
export function useCase(receiptId: string | null) {
  const input = { merchantId: useScope(), receiptId: receiptId ?? '' };
  return useQuery(trpc.exceptions.show.queryOptions(input, { enabled: receiptId !== null }));
}
