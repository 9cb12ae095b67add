import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { usePageMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import type { Filters, ReceiptRefunds } from './types.ts';

const FRESH_EVERY_MS = 15_000;
/** The polling interval while the bank is being called. */
const SENDING_MS = 1_500;
const nextCursor = (page: { nextCursor: string | null }) => page.nextCursor;

/** The refunds that the filters show: one merchant's, or all for the operator. */
export function useRefunds(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const options = {
    getNextPageParam: nextCursor,
    refetchInterval: FRESH_EVERY_MS,
    placeholderData: keepPreviousData,
  };
  const { list, listAcross } = trpc.refunds;
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
  const { sum, sumAcross } = trpc.refunds;
  const query = useQuery(
    merchant === null
      ? sumAcross.queryOptions(acrossFilterOf(filters), options)
      : sum.queryOptions({ merchantId: merchant.merchantId, ...ownFilterOf(filters) }, options),
  );
  return query.data;
}

function ownFilterOf({ state }: Filters) {
  return state === null ? {} : { state };
}

function acrossFilterOf(filters: Filters) {
  const { queue, merchant } = filters;
  return {
    ...ownFilterOf(filters),
    ...(queue && { queue }),
    ...(merchant !== null && { ofMerchant: merchant.merchantId }),
  };
}

/** The refunds of a receipt; disabled while `receiptId` is null. Polls while the bank is being called. */
export function useReceiptRefunds(receiptId: string | null) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const input = { receiptId: receiptId ?? '' };
  const options = {
    enabled: receiptId !== null,
    refetchInterval: ({ state }: { state: { data: ReceiptRefunds | undefined } }) => pace(state.data),
  };
  const query = useQuery(
    merchant === null
      ? trpc.refunds.ofReceiptAcross.queryOptions(input, options)
      : trpc.refunds.ofReceipt.queryOptions({ merchantId: merchant.merchantId, ...input }, options),
  );
  useChanges(query.data);
  return query;
}

function pace(data: ReceiptRefunds | undefined): number | false {
  const states = (data?.refunds ?? []).map(({ state }) => state);
  if (states.some((state) => state === 'requested' || state === 'sent')) return SENDING_MS;
  return states.some((state) => state === 'accepted' || state === 'unknown') ? FRESH_EVERY_MS : false;
}

/** Reloads the case and the transaction of a receipt when one of its refunds changes state. */
function useChanges(data: ReceiptRefunds | undefined): void {
  const trpc = useTRPC();
  const client = useQueryClient();
  const seen = useRef<string | null>(null);
  const now = data === undefined ? null : data.refunds.map(({ refundId, state }) => refundId + state).join();
  useEffect(() => {
    if (now === null || now === seen.current) return;
    const isFirst = seen.current === null;
    seen.current = now;
    if (isFirst) return;
    void client.invalidateQueries(trpc.exceptions.pathFilter());
    void client.invalidateQueries(trpc.transaction.pathFilter());
  }, [now, client, trpc]);
}
